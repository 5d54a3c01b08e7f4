/**
 * The commands in the examples of docs/machines.md, with the environment that the files state, at the sandbox and a real quota
 * server.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { EXIT } from '../../src/errors/index.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { SANDBOX_PROFILE } from '../../src/sandbox/index.js'
import { type Resource, readResources, readUnit } from '../docs/machines.js'
import { bin, ensureBuilt } from '../e2e/harness.js'
import { type ObservedHome, openObserved } from '../e2e/observed.js'
import { startProcess } from '../e2e/runs.js'
import { pricesOf, stock } from '../e2e/shop.js'
import { type RedisServer, startRedis } from './redis.js'

describe('the commands of the examples for machines', () => {
  let redis: RedisServer | undefined
  let home: ObservedHome
  /** Where `seller` is on the path. */
  let programs: string
  before(async function () {
    redis = await startRedis()
    if (redis === undefined) this.skip()
    ensureBuilt()
    home = await openObserved({ faults: { queueDelayMs: 0 } })
    programs = join(home.dir, 'bin')
    await mkdir(programs)
    await writeFile(join(programs, 'seller'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
    await chmod(join(programs, 'seller'), 0o755)
  })
  after(async () => {
    await redis?.kill()
    await home?.close()
  })

  beforeEach(() => redis?.say('FLUSHALL'))

  /** Variables of the machine only; nothing of the home's own settings. */
  const base = () => ({
    ...{ PATH: `${programs}:${process.env.PATH ?? ''}`, HOME: home.dir, LANG: 'C.UTF-8' },
    XDG_CACHE_HOME: home.env.XDG_CACHE_HOME ?? '',
  })
  /** Texts that a person writes into the files instead of their placeholders. */
  const values: Readonly<Record<string, () => string>> = {
    SELLER_BASE_URL: () => home.sandbox.url,
    SELLER_NAMESPACE: () => home.sandbox.namespace,
    SELLER_APP_ID: () => String(SANDBOX_PROFILE.appId),
    'app-key': () => SANDBOX_PROFILE.appKey,
    'quota-url': () => redis?.url ?? '',
    token: () => SANDBOX_PROFILE.token,
  }
  const filledIn = (name: string, text: string) => values[name]?.() ?? text.replace('change-me', SANDBOX_PROFILE.token)
  const run = (command: string, args: readonly string[], env: Readonly<Record<string, string>>, cwd = home.dir) =>
    startProcess(command, args, { env, cwd }).done

  /** A volume with a file of prices. @returns its path */
  const volume = async (name: string, rows: string): Promise<string> => {
    const path = join(home.dir, name)
    await mkdir(path)
    await writeFile(join(path, 'prices.csv'), rows)
    return path
  }

  describe('for Kubernetes', () => {
    const resources = ['secrets.yaml', 'prices-job.yaml', 'due-cronjob.yaml'].flatMap(readResources)
    const found = (kind: string, name: string): Resource => {
      const resource = resources.find((one) => one.kind === kind && one.metadata.name === name)
      if (resource === undefined) throw new Error(`There is no ${kind} ${name}.`)
      return resource
    }

    /** Runs the container of a pod as the kubelet does: its environment, and its volumes at other paths. */
    // biome-ignore lint/suspicious/noExplicitAny: what the file says, unchecked.
    const runPod = async (pod: any, shop: string, more: Readonly<Record<string, string>> = {}) => {
      const [container] = pod.containers
      const env: Record<string, string> = base()
      for (const { configMapRef } of container.envFrom)
        for (const [name, text] of Object.entries(found('ConfigMap', configMapRef.name).data))
          env[name] = filledIn(name, String(text))
      const sellers = join(shop, 'sellers')
      await mkdir(sellers, { recursive: true })
      for (const [name, text] of Object.entries(found('Secret', 'seller-shops').stringData)) {
        const own = String(text)
          .replace('change-me', SANDBOX_PROFILE.token)
          .replace(/(?<=USER_ID=)\d+/, String(SANDBOX_PROFILE.userId))
        await writeFile(join(sellers, name), own)
      }
      const { JOB_COMPLETION_INDEX: index, seller: text } = more
      if (index !== undefined && text !== undefined) await writeFile(join(sellers, index), text)
      // The paths of the volumes that the file names.
      const paths: Readonly<Record<string, string>> = { '/shops': sellers, '/shop': shop }
      const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
      expect(Object.keys(paths)).to.have.members(mounts)
      const mounted = (text: string) => text.replaceAll(/\/shops?(?=\/)/g, (path) => paths[path] ?? path)
      for (const { name, value, valueFrom } of container.env) {
        if (valueFrom === undefined) env[name] = mounted(value)
        else {
          const { key, name: secret } = valueFrom.secretKeyRef
          env[name] = filledIn(key, found('Secret', secret).stringData[key])
        }
      }
      const [program, ...args] = [...container.command, ...container.args] as string[]
      return run(program ?? '', args.map(mounted), { ...env, ...more })
    }

    it('set the prices of each shop, count the calls of both pods together, and find nothing to do the second time', async () => {
      const [one = 0, two = 0] = await stock(home, [100, 200])
      const job = found('Job', 'seller-prices').spec
      const pod = job.template.spec
      expect(job.completions, 'one for each file of the sellers').to.equal(
        Object.keys(found('Secret', 'seller-shops').stringData).length,
      )
      const shops = await Promise.all([volume('shop-0', `Id,Price\n${one},105\n`), volume('shop-1', `Id,Price\n${two},210\n`)])
      home.calls()
      const runs = () => Promise.all(shops.map((shop, index) => runPod(pod, shop, { JOB_COMPLETION_INDEX: String(index) })))
      for (const { code, stderr } of await runs()) expect(code, stderr).to.equal(0)
      const made = home.calls().length
      expect(await pricesOf(home, [one, two])).to.deep.equal([105, 210])
      home.calls()
      for (const { code, stderr } of await runs()) expect(code, stderr).to.equal(0)
      const again = home.calls()
      expect(again).to.not.include('SetPriceOnShopItems')
      const env = { SELLER_DATA_DIR: join(shops[0] ?? '', 'data'), SELLER_QUOTA_URL: redis?.url, SELLER_CALL_BUDGET: '100' }
      const { Used, UsedHere } = (await home.run(['calls:show', '--json'], { env })).json()
      expect(Used, `${made} ${again}`).to.equal(made + again.length)
      expect(UsedHere).to.be.lessThan(Used)
    })

    /**
     * Runs an indexed Job as its controller does (Kubernetes 1.33, Jobs, Backoff limit per index and Pod failure policy): a
     * failed pod is made again unless a rule ends its index or the limit of the index is reached; the other indexes go on.
     * @returns the exit codes of the pods of each index
     */
    // biome-ignore lint/suspicious/noExplicitAny: what the file says, unchecked.
    const runJob = (job: any, indexes: number, runIndex: (index: number) => Promise<{ code: number | null }>) =>
      Promise.all(
        Array.from({ length: indexes }, async (_, index) => {
          const codes: (number | null)[] = []
          for (;;) {
            const { code } = await runIndex(index)
            codes.push(code)
            const [rule] = job.podFailurePolicy.rules.filter(({ onExitCodes: on }: Resource) => on?.values.includes(code))
            if (code === 0 || rule?.action === 'FailIndex' || codes.length > job.backoffLimitPerIndex) return codes
          }
        }),
      )

    it('hold for three nights, while a shop holds prices, one fails, and a discount begins and ends', async () => {
      const ids = await stock(home, [500, 400, 300, 200])
      const [first = 0, second = 0, third = 0, fourth = 0] = ids
      const job = found('Job', 'seller-prices').spec
      const due = found('CronJob', 'seller-due-shop-0').spec.jobTemplate.spec.template.spec
      const rows = [`${first},500`, `${second},4000`, `${third},310`, `${fourth},200`]
      const shops = await Promise.all(rows.map((row, at) => volume(`night-${at}`, `Id,Price\n${row}\n`)))
      const seller = (index: number) => ({
        ...{ JOB_COMPLETION_INDEX: String(index), SELLER_CALL_BUDGET: '1000' },
        seller: `SELLER_USER_ID=${SANDBOX_PROFILE.userId}\nSELLER_TOKEN=${index === 2 ? 'wrong' : SANDBOX_PROFILE.token}\n`,
      })
      const night = () => runJob(job, shops.length, (index) => runPod(job.template.spec, shops[index] ?? '', seller(index)))
      const settle = async () => {
        const { code, stderr } = await runPod(due, shops[0] ?? '', { ...seller(0), JOB_COMPLETION_INDEX: '0' })
        expect(code, stderr).to.equal(0)
      }
      // A shop that holds prices (6) or cannot log in (4) is not tried again, and ends no other.
      const ENDS = [[EXIT.ok], [EXIT.held], [EXIT.auth], [EXIT.ok]]
      expect(await night()).to.deep.equal(ENDS)
      expect(await pricesOf(home, ids)).to.deep.equal([500, 400, 300, 200])
      const [container] = due.containers
      const discount = `seller shop:discount Rea ${first}=450 --from now --until +2d --yes --quiet`
      const make = container.args.map((text: string) => text.replace('seller jobs:due --quiet', discount))
      const made = await runPod({ ...due, containers: [{ ...container, args: make }] }, shops[0] ?? '', seller(0))
      expect(made.code, made.stderr).to.equal(0)
      await settle()
      expect(await pricesOf(home, [first])).to.deep.equal([450])
      await writeFile(join(shops[3] ?? '', 'prices.csv'), `Id,Price\n${fourth},220\n`)
      expect(await night()).to.deep.equal(ENDS)
      await settle()
      expect(await pricesOf(home, ids), 'the night leaves the discount alone').to.deep.equal([450, 400, 300, 220])
      const ledger = openStore(join(shops[0] ?? '', 'data', 'ledger.db'), 'power')
      ledger.run('UPDATE discounts SET ends_at = ?1, next_at = ?1', Date.now() - 1000)
      ledger.close()
      await settle()
      await writeFile(join(shops[3] ?? '', 'prices.csv'), `Id,Price\n${fourth},230\n`)
      expect(await night()).to.deep.equal(ENDS)
      expect(await pricesOf(home, ids)).to.deep.equal([500, 400, 300, 230])
    })

    it('send what is due of the sales', async () => {
      const pod = found('CronJob', 'seller-due-shop-0').spec.jobTemplate.spec.template.spec
      const ended = await runPod(pod, await volume('due-shop', ''))
      expect(ended.code, ended.stderr).to.equal(0)
      expect(ended.stdout + ended.stderr).to.equal('')
    })
  })

  it('for systemd set the prices, with secrets that are credentials', async () => {
    const [id = 0] = await stock(home, [300])
    const unit = readUnit('seller-prices@.service').filter(({ section }) => section === 'Service')
    const valuesOf = (key: string) => unit.filter((entry) => entry.key === key).map(({ value }) => value)
    const state = join(home.dir, 'var')
    const expand = (text: string) => text.replaceAll('%S', state).replaceAll('%i', 'shop-1')
    const env: Record<string, string> = { ...base(), CREDENTIALS_DIRECTORY: join(home.dir, 'credentials') }
    for (const pair of valuesOf('Environment')) {
      const [name = '', value = ''] = expand(pair).split(/=(.*)/s)
      env[name] = value
    }
    const directory = join(state, expand(valuesOf('StateDirectory')[0] ?? ''))
    expect(expand(valuesOf('WorkingDirectory')[0] ?? '')).to.equal(directory)
    await mkdir(directory, { recursive: true })
    await mkdir(env.CREDENTIALS_DIRECTORY ?? '')
    for (const line of valuesOf('LoadCredential')) {
      const [name = '', path = ''] = line.split(':')
      expect(path).to.match(/^\/etc\/seller\/%i\//)
      const content = name === 'prices.csv' ? `Id,Price\n${id},315\n` : filledIn(name, '')
      await writeFile(join(env.CREDENTIALS_DIRECTORY ?? '', name), content)
    }
    // As docs/machines.md says: once, and no secret in the profile.
    const login = [
      'auth:login',
      '--base-url',
      home.sandbox.url,
      '--namespace',
      home.sandbox.namespace,
      '--setting',
      'call_budget=100',
    ]
    const user = [
      '--app-id',
      String(SANDBOX_PROFILE.appId),
      '--user-id',
      String(SANDBOX_PROFILE.userId),
      '--no-verify',
      '--no-input',
    ]
    const secrets = ['app-key', 'token', 'quota-url'].flatMap((name) => [
      `--${name}-command`,
      `cat "$CREDENTIALS_DIRECTORY/${name}"`,
    ])
    const stored = await run('seller', [...login, ...user, ...secrets, '--profile', 'shop-1'], env)
    expect(stored.code, stored.stderr).to.equal(0)
    for (const line of valuesOf('ExecStart')) {
      const [program, ...args] = expand(line)
        .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '')
        .split(' ')
      expect(program).to.equal('/usr/bin/seller')
      const ended = await run('seller', args, env, directory)
      expect(ended.code, ended.stderr).to.equal(0)
    }
    expect(await pricesOf(home, [id])).to.deep.equal([315])
  })
})
