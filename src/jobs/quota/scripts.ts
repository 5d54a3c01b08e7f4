/**
 * The programs that the quota server runs, each as one step that nothing else comes between. Time is the server's, so that the
 * clocks of the machines do not matter.
 */
import { createHash } from 'node:crypto'

export interface Script {
  readonly text: string
  readonly sha1: string
}

/** The server's clock, where no time is given, ms. */
const CLOCK = `if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`

/**
 * Calls are counted in buckets of a minute for each owner, so that memory is bounded by the minutes of the window and not by the
 * calls. A bucket leaves the window when its last millisecond does: a call is free up to a minute later than in the ledger, and
 * never earlier.
 *
 * KEYS: buckets (sorted set, "MINUTE OWNER" by minute), counts (hash: the same names, "all", "of OWNER"), shares (hash,
 * "HUNDREDTHS MS" by owner, and under "" their sum). ARGV: owner (empty for all profiles without a share together), calls to take
 * (0 only reads), budget, the owner's share in hundredths of a per cent (0 for none), window and bucket in ms, now in ms (empty
 * for the server's clock), "1" to sum up the shares, then owners and shares of other profiles to note. Returns: 1 if taken, 2 if
 * too many old buckets are still counted to say (it has removed a part of them: ask again), which limit refused ("budget",
 * "share" or ""), calls used by all, calls that the share allows (-1 without shares), calls used of the share, ms until the calls
 * are free (-1 for never), the bucket, the sum of all shares (-1 if not asked), ms until the oldest call leaves the limit that is
 * nearer (-1 for none).
 */
const TAKE = `
local buckets, counts, shares = KEYS[1], KEYS[2], KEYS[3]
local owner, n, budget, share = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local window, width, now = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
${CLOCK}
local bucket = string.format('%d', math.floor(now / width))

local function count(field) return tonumber(redis.call('HGET', counts, field) or '0') end
local function ownerOf(member) return string.match(member, '^%d+ (.*)$') end

local KEEP = 8 * 86400000
local change = 0
local function note(who, size)
  if size == 0 then return end
  change = change + size - tonumber(string.match(redis.call('HGET', shares, who) or '', '^(%d+) ') or '0')
  redis.call('HSET', shares, who, string.format('%d %d', size, now))
end
note(owner, share)
for at = 9, #ARGV, 2 do note(ARGV[at], tonumber(ARGV[at + 1])) end

-- The sum is kept for an hour, under a name that no owner has: there may be thousands. An older version of this script removes it.
local total = -1
local sum, summed = string.match(redis.call('HGET', shares, '') or '', '^sum (%d+) (%d+)$')
if sum and math.abs(now - tonumber(summed)) < 3600000 then total = tonumber(sum) + change
elseif owner == '' or ARGV[8] == '1' then
  total, summed = 0, now
  local all = redis.call('HGETALL', shares)
  for at = 1, #all, 2 do
    local size, seen = string.match(all[at + 1], '^(%d+) (%d+)$')
    if size and now - tonumber(seen) < KEEP then total = total + tonumber(size)
    else redis.call('HDEL', shares, all[at]) end
  end
end
if total > 0 then redis.call('HSET', shares, '', string.format('sum %d %d', total, summed)) end
if redis.call('EXISTS', shares) == 1 then redis.call('PEXPIRE', shares, KEEP) end

local allowed = -1
if share > 0 then allowed = math.max(1, math.floor(budget * share / 10000))
elseif total > 0 then allowed = math.floor(budget * math.max(0, 10000 - total) / 10000) end

local gone = math.floor((now - window + 1) / width) - 1
if redis.call('ZCOUNT', buckets, '(' .. string.format('%d', gone), '+inf') == 0 then redis.call('UNLINK', buckets, counts) end

-- Takes old buckets out of the counts, so many that others do not wait. Returns whether there may be more.
local SOME = 250
local function removeSome()
  local members = redis.call('ZRANGEBYSCORE', buckets, '-inf', gone, 'LIMIT', 0, SOME)
  if #members == 0 then return false end
  local sums = {}
  for at, old in ipairs(redis.call('HMGET', counts, unpack(members))) do
    local field, calls = 'of ' .. ownerOf(members[at]), tonumber(old or '0')
    sums[field] = (sums[field] or 0) + calls
    sums.all = (sums.all or 0) + calls
  end
  for field, sum in pairs(sums) do
    if redis.call('HINCRBY', counts, field, -sum) <= 0 then redis.call('HDEL', counts, field) end
  end
  redis.call('HDEL', counts, unpack(members))
  redis.call('ZREMRANGEBYRANK', buckets, 0, #members - 1)
  return #members == SOME
end

-- A take adds one bucket and removes up to SOME, so old ones do not pile up. Where old ones would refuse it, or be shown, it is asked again.
local more = removeSome()
local used, ofShare = count('all'), count('of ' .. owner)
if more and (n == 0 or used + n > budget or (allowed >= 0 and ofShare + n > allowed)) then
  return {2, '', used, allowed, ofShare, 0, bucket, total, -1}
end

-- How long until the calls of a minute have left the window.
local function leaves(minute) return math.max(1, (minute + 1) * width - 1 + window - now) end

-- How long until so many calls of all have left.
local function waitForAll(calls)
  local freed = 0
  for from = 0, redis.call('ZCARD', buckets) - 1, 500 do
    local members = redis.call('ZRANGE', buckets, from, from + 499)
    for at, n in ipairs(redis.call('HMGET', counts, unpack(members))) do
      freed = freed + tonumber(n or '0')
      if freed >= calls then return leaves(tonumber(string.match(members[at], '^%d+'))) end
    end
  end
  return -1
end

-- How long until so many calls of the owner have left: its minutes are asked for by name, whatever the others did.
local function waitForOwn(calls)
  if calls > ofShare then return -1 end
  local newest = redis.call('ZRANGE', buckets, -1, -1)[1]
  local last = newest and tonumber(string.match(newest, '^%d+')) or gone
  local freed = 0
  for from = gone + 1, last, 500 do
    local fields = {}
    for minute = from, math.min(from + 499, last) do fields[#fields + 1] = string.format('%d ', minute) .. owner end
    for at, n in ipairs(redis.call('HMGET', counts, unpack(fields))) do
      freed = freed + tonumber(n or '0')
      if freed >= calls then return leaves(from + at - 1) end
    end
  end
  return -1
end

if used + n > budget then
  return {0, 'budget', used, allowed, ofShare, n > budget and -1 or waitForAll(used + n - budget), bucket, total, -1}
end
if allowed >= 0 and ofShare + n > allowed then
  return {0, 'share', used, allowed, ofShare, n > allowed and -1 or waitForOwn(ofShare + n - allowed), bucket, total, -1}
end
if n == 0 then
  local wait = waitForAll
  if allowed >= 0 and allowed - ofShare < budget - used then wait = waitForOwn end
  return {1, '', used, allowed, ofShare, 0, bucket, total, wait(1)}
end
local member = bucket .. ' ' .. owner
redis.call('ZADD', buckets, bucket, member)
redis.call('HINCRBY', counts, member, n)
redis.call('HINCRBY', counts, 'all', n)
redis.call('HINCRBY', counts, 'of ' .. owner, n)
redis.call('PEXPIRE', buckets, window + 2 * width)
redis.call('PEXPIRE', counts, window + 2 * width)
return {1, '', used + n, allowed, ofShare + n, 0, bucket, total, -1}
`

/**
 * Counts calls that a machine made while it could not ask, in the minutes in which it made them. A token says which they are: a
 * second report of the same, after an answer that was lost, counts nothing.
 *
 * KEYS: buckets, counts, reported (sorted set: tokens by the time of their report). ARGV: token, owner, window and bucket in ms,
 * now in ms (empty for the server's clock), then for each minute the age of its last call in ms and its calls. Returns 1 if they
 * were counted now.
 */
const REPORT = `
local window, width, now = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
${CLOCK}
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%d', now - 2 * window))
if redis.call('ZADD', KEYS[3], 'NX', string.format('%d', now), ARGV[1]) == 0 then return 0 end
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', KEYS[2]) end
for at = 6, #ARGV, 2 do
  local age, n = math.max(0, tonumber(ARGV[at])), tonumber(ARGV[at + 1])
  if age < window and n > 0 then
    local bucket = string.format('%d', math.floor((now - age) / width))
    local member = bucket .. ' ' .. ARGV[2]
    redis.call('ZADD', KEYS[1], bucket, member)
    for _, field in ipairs({member, 'all', 'of ' .. ARGV[2]}) do redis.call('HINCRBY', KEYS[2], field, n) end
  end
end
for at, key in ipairs(KEYS) do redis.call('PEXPIRE', key, (at == 3 and 2 or 1) * window + 2 * width) end
return 1
`

/**
 * Notes which ledger works on a shop. KEYS: ledgers (hash: "LEDGER MS PLACE" by shop). ARGV: shop, ledger, place, how long a note
 * counts in ms, now in ms (empty for the server's clock). Returns how long ago another ledger was at work there, ms (-1 for
 * none), and its place.
 */
const CLAIM = `
local keep, now = tonumber(ARGV[4]), tonumber(ARGV[5])
${CLOCK}
local known = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%s %d %s', ARGV[2], now, ARGV[3]))
redis.call('PEXPIRE', KEYS[1], keep)
local ledger, seen, place = string.match(known or '', '^(%S+) (%d+) (.*)$')
if ledger == nil or ledger == ARGV[2] or now - tonumber(seen) > keep then return {-1, ''} end
return {now - tonumber(seen), place}
`

/** Gives calls back that did not reach the service. KEYS: buckets, counts. ARGV: owner, bucket, calls. Returns how many. */
const GIVE_BACK = `
local member = ARGV[2] .. ' ' .. ARGV[1]
local n = math.min(tonumber(ARGV[3]), tonumber(redis.call('HGET', KEYS[2], member) or '0'))
if n <= 0 then return 0 end
for _, field in ipairs({member, 'all', 'of ' .. ARGV[1]}) do
  if redis.call('HINCRBY', KEYS[2], field, -n) <= 0 then
    redis.call('HDEL', KEYS[2], field)
    if field == member then redis.call('ZREM', KEYS[1], member) end
  end
end
return n
`

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}

export const TAKE_SCRIPT = script(TAKE)
export const REPORT_SCRIPT = script(REPORT)
export const CLAIM_SCRIPT = script(CLAIM)
export const GIVE_BACK_SCRIPT = script(GIVE_BACK)
