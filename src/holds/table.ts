/**
 * Every reason why a row is held, skipped or not carried out, by its code: its values, its words, and what lets it pass. This is
 * the only list of them; those of the guards stand in pricing/guards, and are taken in below. What is stored and compared is the
 * code with its values; its words are made when it is shown. Codes and names of values are promised to scripts: new ones may be
 * added, none is renamed. Amounts are kronor, shares 0 to 1, times ISO 8601.
 */
import { minuteOf } from '../contract/scalars.js'
import { blank, count, joined, type Message, money, run, say, type Words } from '../messages/index.js'
import { type GuardHold, PRICE_GUARDS, wideningFlag } from '../pricing/guards/index.js'

/** Way to let a row pass on purpose. Where the words name a command, there is nothing more to say. */
export interface Pass {
  /** The exact price in the column `_Allow`. */
  readonly allow?: true | undefined
  /** As it is typed. */
  readonly flag?: string | undefined
}

export interface HoldKind<V extends object> {
  /** A sentence without a full stop. */
  says(values: V): Words
  readonly pass?: Pass | undefined
  /** Values of one, for the documents. */
  readonly example: V
}

const hold = <V extends object>(kind: HoldKind<V>): HoldKind<V> => kind
/** One without values. */
const plain = (words: Words, pass?: Pass): HoldKind<object> => ({ says: () => words, pass, example: {} })

/** An item as the row names it: one of the two is null. */
interface Named {
  readonly Id: number | null
  readonly OwnReference: string | null
}
const itemName = ({ Id, OwnReference }: Named): Words =>
  OwnReference === null ? say`id ${Id ?? 0}` : say`own reference "${OwnReference}"`

/** Source of an item's arrival or removal: a job, a request, or neither where only a lost reply is known. */
interface By {
  readonly Job: number | null
  readonly Request: number | null
}
const by = ({ Job, Request }: By): Words =>
  Job !== null ? say`job ${Job}` : Request !== null ? say`request ${Request}` : 'a call whose outcome is unknown'

const wait = (Job: number) => run('jobs:resume', { id: Job, '--wait': true })
const resume = (Job: number | null) => run('jobs:resume', { id: Job ?? undefined })

/** A value that is not allowed. */
export interface FieldFault {
  readonly Field: string
  readonly Value: unknown
  readonly Message: string
}
const faults = (Faults: readonly FieldFault[]): Words =>
  joined(
    Faults.map(({ Field, Value, Message }) =>
      Value === null || Value === ''
        ? say`${Field}: ${Message}`
        : say`${Field} ${typeof Value === 'string' ? Value : JSON.stringify(Value)}: ${Message}`,
    ),
    '; ',
  )

const prices = (kronor: number): Words => (kronor === 0 ? 'none' : say`${money(kronor)}`)

const FACTS = {
  // Prices.
  no_price: plain('the item has no current price to compare with', { allow: true }),
  below_one: hold<{ Price: number }>({
    says: ({ Price }) => say`the price must be at least ${money(1)}, not ${money(Price)}`,
    example: { Price: 0 },
  }),
  /** @property Discount the part of a discount that found it: its price is expected, or at the end its discount price */
  moved: hold<{ Live: number; Expected: number; Discount: 'start' | 'end' | null }>({
    says: ({ Live, Expected, Discount }) =>
      Discount === 'end'
        ? say`the live price is ${money(Live)}, not the discount price ${money(Expected)}: it has changed since`
        : Discount === 'start'
          ? say`the live price is ${money(Live)}, not ${money(Expected)}, the price of the discount it is in: it has changed since`
          : say`the live price is ${money(Live)}, not ${money(Expected)}: it has changed since`,
    example: { Live: 900, Expected: 1000, Discount: null },
  }),
  /** @property Sent same: it is the price of the row */
  queued: hold<{ Job: number; Price: number; Sent: 'queued' | 'sending' | 'same' }>({
    says: ({ Job, Price, Sent }) =>
      Sent === 'same'
        ? say`job ${Job} has queued this price already`
        : Sent === 'queued'
          ? say`job ${Job} has queued ${money(Price)}, which may be set after this price. Wait for it: ${wait(Job)}`
          : say`job ${Job} was sending ${money(Price)} when it was stopped. Finish it first: ${resume(Job)}`,
    example: { Job: 7, Price: 90, Sent: 'queued' },
  }),
  wrong_way: hold<{ Old: number; Price: number }>({
    says: ({ Old, Price }) =>
      Price > Old
        ? say`the rule lowers prices; it would raise this one to ${money(Price)}, so it is unchanged`
        : say`the rule raises prices; it would lower this one to ${money(Price)}, so it is unchanged`,
    example: { Old: 100, Price: 110 },
  }),
  raises: hold<{ Old: number; Price: number }>({
    says: ({ Old, Price }) => say`a discount lowers prices, and this one would rise from ${money(Old)} to ${money(Price)}`,
    example: { Old: 100, Price: 110 },
  }),
  rule: hold<{ Case: 'no_price' | 'too_large'; Price: number | null; Most: number | null }>({
    says: ({ Case, Price, Most }) =>
      Case === 'no_price'
        ? 'the item has no price that the rule can change'
        : say`the rule gives ${money(Price ?? 0)}, more than the service can hold (${Most ?? 0})`,
    example: { Case: 'no_price', Price: null, Most: null },
  }),
  /** The values are the hold of the plan. */
  held_in_plan: hold<AnyHold>({
    says: (values) => wordsOf(values),
    example: { Code: 'no_price', Values: {} },
  }),
  accept_fees: hold<{ Reserves: number; Fees: number; Accepted: number }>({
    says: ({ Reserves, Fees, Accepted }) =>
      say`${count(Reserves, 'new reserve price')} ${Reserves === 1 ? 'costs' : 'cost'} ${money(Fees)} and cannot be removed later. Only ${money(Accepted)} are accepted`,
    pass: { flag: '--accept fees=KRONOR' },
    example: { Reserves: 2, Fees: 10, Accepted: 5 },
  }),

  // Items.
  not_shop_item: hold<{ Id: number }>({
    says: ({ Id }) => say`it is not a shop item: set its price with ${run('items:price', { id: Id })}`,
    example: { Id: 5 },
  }),
  other_reference: plain('the item does not have the own reference given next to its id'),
  /** A value of a reply that is no such value. @property Fields null where the plan does not keep which */
  unreadable: hold<{ Fields: readonly string[] | null }>({
    says: ({ Fields }) =>
      Fields === null
        ? 'a value of the item cannot be read (see the warning), so the change cannot be judged'
        : say`its ${Fields.join(', ')} cannot be read (see the warning)`,
    example: { Fields: ['BuyItNowPrice'] },
  }),
  /** @property Type any: of items of all types */
  not_live: hold<Named & { Type: 'ShopItem' | 'any' }>({
    says: ({ Type, ...item }) => say`no live ${Type === 'any' ? '' : 'shop '}item has ${itemName(item)}`,
    example: { Id: 5, OwnReference: null, Type: 'ShopItem' },
  }),
  no_item: hold<{ Id: number }>({ says: ({ Id }) => say`there is no item ${Id}`, example: { Id: 5 } }),
  not_active: hold<Named>({
    says: (item) => say`no active shop item has ${itemName(item)}; an item that is not active yet must not be removed`,
    pass: { flag: '--with scheduled' },
    example: { Id: 5, OwnReference: null },
  }),
  ambiguous_reference: hold<{ OwnReference: string | null; Items: readonly number[] }>({
    says: ({ OwnReference, Items }) =>
      say`${OwnReference === null ? 'its own reference' : say`own reference "${OwnReference}"`} belongs to items ${Items.join(' and ')}`,
    example: { OwnReference: 'A-1', Items: [1, 2] },
  }),
  same_item: hold<{ Item: number; Line: number }>({
    says: ({ Item, Line }) => say`item ${Item} is also in line ${Line}`,
    example: { Item: 5, Line: 3 },
  }),
  level_unknown: hold<{ Noun: string }>({
    says: ({ Noun }) => say`the live list does not say its ${Noun}`,
    example: { Noun: 'stock level' },
  }),
  /** The number of the row is the one before a sale. */
  sold_since_file: hold<{ Quantity: number; Live: number; At: string }>({
    says: ({ Quantity, Live, At }) =>
      say`${Quantity} is its number in stock from before it fell to ${Live}, which was seen ${minuteOf(Date.parse(At))}: sold goods would be on sale again. Is the file older?`,
    pass: { flag: '--restock' },
    example: { Quantity: 5, Live: 0, At: '2026-01-31T11:00:00.000Z' },
  }),
  level_moved: hold<{ Noun: string; Live: number; Expected: number }>({
    says: ({ Noun, Live, Expected }) => say`its ${Noun} is ${Live}, not ${Expected}: it has changed since the job set it`,
    example: { Noun: 'stock level', Live: 4, Expected: 5 },
  }),

  // Auctions.
  is_shop_item: hold<{ Id: number }>({
    says: ({ Id }) => say`the item is a shop item: set its price with ${run('shop:price', { price: blank(`${Id}=PRICE`) })}`,
    example: { Id: 5 },
  }),
  buy_now_only: plain('the item is sold at buy-it-now only, and the service does not change its price this way'),
  contact_only: plain('the item is a contact advertisement and has no auction prices'),
  has_bids: hold<{ Bids: number }>({
    says: ({ Bids }) => say`the auction has ${count(Bids, 'bid')}; prices can be changed only before the first`,
    example: { Bids: 1 },
  }),
  invalid_request: hold<{ Faults: readonly FieldFault[] }>({
    says: ({ Faults }) => faults(Faults),
    example: { Faults: [{ Field: 'ReservedPrice', Value: 5, Message: 'must be above the opening price' }] },
  }),

  // Rows of a job that was planned a while ago.
  moved_since_plan: hold<{ Then: number; Now: number }>({
    says: ({ Then, Now }) => say`its price was ${prices(Then)} when the plan was made; it is ${prices(Now)} now`,
    pass: { flag: '--blind' },
    example: { Then: 5, Now: 6 },
  }),
  level_moved_since_plan: hold<{ Noun: string; Then: number; Now: number }>({
    says: ({ Noun, Then, Now }) => say`its ${Noun} was ${Then} when the plan was made; it is ${Now} now`,
    pass: { flag: '--blind' },
    example: { Noun: 'stock level', Then: 5, Now: 6 },
  }),
  gone: plain('it is no longer in the live list'),
  fields_moved_since_plan: hold<{ Fields: readonly string[] }>({
    says: ({ Fields }) => say`its ${Fields.join(', ')} changed since the plan was made`,
    pass: { flag: '--blind' },
    example: { Fields: ['Title'] },
  }),

  // Fields of live items.
  takes_off: hold<{ At: string }>({
    says: ({ At }) =>
      say`it is live, and would leave the shop until ${minuteOf(Date.parse(At))}. To do that: ${run('shop:activate', { id: blank('ID') })}`,
    example: { At: '2026-12-01T00:00:00+01:00' },
  }),
  update_queued: hold<{ Job: number }>({
    says: ({ Job }) => say`job ${Job} has a change of it on the way. Wait for it: ${wait(Job)}`,
    example: { Job: 7 },
  }),
  fields_moved: hold<{ Fields: readonly string[] }>({
    says: ({ Fields }) => say`its ${Fields.join(', ')} is no longer as the job set it`,
    example: { Fields: ['Title'] },
  }),
  /** @property Fields those that had no value, which the service cannot set back to none, or whose value before was not read */
  not_set_back: hold<{ Fields: readonly string[] }>({
    says: ({ Fields }) =>
      say`the service has no way to set back its ${Fields.join(', ')}: it had no value before, or one that nobody knows`,
    example: { Fields: ['ItemAttributes'] },
  }),

  // Auctions that are put up again.
  reference_relisted: hold<{ OwnReference: string; Item: number }>({
    says: ({ OwnReference, Item }) =>
      say`it was relisted since the plan was made: its own reference "${OwnReference}" is live as item ${Item}`,
    example: { OwnReference: 'A-1', Item: 9 },
  }),
  restarted: hold<{ Items: readonly number[] }>({
    says: ({ Items }) => say`it has already been relisted, as item ${Items.join(', ')}`,
    example: { Items: [9] },
  }),
  relisted: hold<{ Job: number; Item: number | null }>({
    says: ({ Job, Item }) => say`job ${Job} has relisted it${Item === null ? '' : say`, as item ${Item}`}`,
    pass: { flag: '--again' },
    example: { Job: 7, Item: 9 },
  }),
  /** Its job is under way: nothing lets it pass. */
  being_relisted: hold<{ Job: number; Item: number | null }>({
    says: ({ Job, Item }) => say`job ${Job} relists it${Item === null ? '' : say`, as item ${Item}`}`,
    example: { Job: 7, Item: null },
  }),
  relisted_often: hold<{ Times: number; Limit: number }>({
    says: ({ Times, Limit }) => say`it has been relisted ${count(Times, 'time')}; the limit is ${Limit} (--max-relists)`,
    pass: { flag: '--max-relists N' },
    example: { Times: 3, Limit: 3 },
  }),
  sold_since: hold<{ Transaction: number }>({
    says: ({ Transaction }) => say`it was sold after its end: transaction ${Transaction}`,
    example: { Transaction: 8 },
  }),
  reference_sold: hold<{ OwnReference: string; Item: number | null }>({
    says: ({ OwnReference, Item }) =>
      say`its own reference "${OwnReference}" was sold since${Item === null ? '' : say`, as item ${Item}`}`,
    pass: { flag: '--again' },
    example: { OwnReference: 'A-1', Item: 9 },
  }),
  not_an_auction: hold<{ ItemType: string }>({
    says: ({ ItemType }) => say`it is not an auction (${ItemType})`,
    example: { ItemType: 'ShopItem' },
  }),
  not_ended: plain('it has not ended'),
  was_sold: plain('it was sold'),
  sale_unknown: plain('the service does not say whether it was sold'),
  reserve_unknown: plain('it has a reserve price that the service does not return'),
  left_out: hold<{ What: string }>({
    says: ({ What }) => say`the service does not return its ${What}`,
    example: { What: 'images' },
  }),

  // Undoing.
  still_queued: hold<{ Job: number }>({
    says: ({ Job }) => say`its change in job ${Job} is still queued and would be set after this. Wait for it: ${wait(Job)}`,
    example: { Job: 7 },
  }),
  still_sending: hold<{ Job: number }>({
    says: ({ Job }) => say`it was being sent in job ${Job} when the program ended. Finish that job first: ${resume(Job)}`,
    example: { Job: 7 },
  }),
  auction_moved: plain('the live prices are no longer those that the job set'),

  // Rows of a catalogue, and items that would be added twice.
  no_reference: plain('the row has no own reference, so its item is unknown'),
  duplicate_reference: hold<{ OwnReference: string; Lines: readonly number[] }>({
    says: ({ OwnReference, Lines }) => say`own reference "${OwnReference}" is also in line ${Lines.join(', ')}`,
    example: { OwnReference: 'A-1', Lines: [4] },
  }),
  several_rows: hold<{ Item: number; Lines: readonly number[] }>({
    says: ({ Item, Lines }) =>
      say`item ${Item} has the own references of several rows, ${Lines.map((line) => `line ${line}`).join(', ')}`,
    example: { Item: 9, Lines: [2, 3] },
  }),
  reference_not_shop: hold<{ Item: number; ItemType: string }>({
    says: ({ Item, ItemType }) => say`its own reference is live as item ${Item}, which is not a shop item (${ItemType})`,
    example: { Item: 9, ItemType: 'Auction' },
  }),
  /** @property Near null: the reference is the id of the item */
  near_reference: hold<{ OwnReference: string; Near: string | null; Item: number }>({
    says: ({ OwnReference, Near, Item }) =>
      Near === null
        ? say`own reference "${OwnReference}" is the id of a live item`
        : say`own reference "${OwnReference}" may be "${Near}" of item ${Item}: they differ only by case, dashes, spaces or zeros, or one is what a spreadsheet made of the other`,
    pass: { flag: '--again' },
    example: { OwnReference: 'a 1', Near: 'A-1', Item: 9 },
  }),
  near_live: hold<{ OwnReference: string; Near: string; Item: number }>({
    says: ({ OwnReference, Near, Item }) =>
      say`no live item has own reference "${OwnReference}"; "${Near}" of item ${Item} is nearly the same`,
    example: { OwnReference: '451', Near: '000451', Item: 9 },
  }),
  several_in_cell: hold<{ OwnReference: string; References: readonly string[] }>({
    says: ({ OwnReference, References }) =>
      say`"${OwnReference}" names ${count(References.length, 'item')}, which cannot share one row: give each a row of its own`,
    example: { OwnReference: 'A-1,A-2', References: ['A-1', 'A-2'] },
  }),
  cannot_be_added: hold<{ Said: string }>({
    says: ({ Said }) => say`no live item has its own reference, and it cannot be added: ${Said}`,
    example: { Said: 'Price must be at least 1' },
  }),
  nameless_line: hold<{ Line: number }>({
    says: ({ Line }) => say`line ${Line} has no own reference and may be this item, so nothing is removed`,
    example: { Line: 4 },
  }),
  being_removed: hold<By & { State: 'unsent' | 'sent' | 'removed' }>({
    says: ({ State, ...it }) =>
      State === 'unsent'
        ? say`${by(it)} is to remove it, and has not sent that yet: ${resume(it.Job)}`
        : say`${by(it)} ${State === 'removed' ? 'has removed' : 'is removing'} it`,
    example: { Job: 7, Request: null, State: 'sent' },
  }),
  superseded: plain('planned again by a later shop:sync'),
  reference_live: hold<{ OwnReference: string; Item: number }>({
    says: ({ OwnReference, Item }) => say`own reference "${OwnReference}" is already live as item ${Item}`,
    pass: { flag: '--again' },
    example: { OwnReference: 'A-1', Item: 9 },
  }),
  reference_twin: hold<{ OwnReference: string }>({
    says: ({ OwnReference }) => say`an earlier row also has own reference "${OwnReference}"`,
    pass: { flag: '--again' },
    example: { OwnReference: 'A-1' },
  }),
  /** @property Lost whether its reply was lost, so that only the seller can say what became of it */
  reference_added: hold<
    By & { OwnReference: string; Item: number | null; At: string; State: 'unsent' | 'sent' | 'added'; Lost: boolean }
  >({
    says: ({ OwnReference, Item, At, State, Lost, ...it }) => {
      if (State === 'unsent')
        return say`${by(it)} has own reference "${OwnReference}", and has not sent it yet: ${resume(it.Job)}`
      const item = Item === null ? '' : ` (item ${Item})`
      const said = say`own reference "${OwnReference}" was ${State === 'added' ? 'added' : 'sent'} by ${by(it)}${item} on ${At.slice(0, 10)}`
      if (!Lost) return said
      return it.Job === null ? say`${said}, and its reply was lost` : say`${said}, and its reply was lost: ${resume(it.Job)}`
    },
    pass: { flag: '--again' },
    example: { Job: 7, Request: null, OwnReference: 'A-1', Item: 9, At: '2026-01-31T12:00:00Z', State: 'added', Lost: false },
  }),
  reference_was_live: hold<{ OwnReference: string; Item: number; At: string }>({
    says: ({ OwnReference, Item, At }) =>
      say`own reference "${OwnReference}" was live as item ${Item} until ${minuteOf(Date.parse(At))}. To add it once more, give --again`,
    pass: { flag: '--again' },
    example: { OwnReference: 'A-1', Item: 9, At: '2026-01-31T11:00:00Z' },
  }),

  // Discounts. The last three are said of items whose state stays.
  discount_missed: plain(say`the discount ended before it started, because ${run('jobs:due')} did not run in time`),
  start_skipped: plain('the discount was to begin earlier, and the profile skips a start that was missed'),
  discount_over: plain('the discount ended before this price could be sent'),
  dropped: hold<{ Job: number }>({
    says: ({ Job }) => say`job ${Job} was dropped before this price was sent`,
    example: { Job: 7 },
  }),
  normal_unknown: plain('its normal price is not in the ledger'),
  item_ended: plain('the item has ended, so its price is not restored'),
  absent: hold<{ Last: boolean }>({
    says: ({ Last }) =>
      Last ? 'not restored: it was not in the live list' : 'it is not in the live list, so its price is not restored yet',
    example: { Last: false },
  }),
  on_the_way: hold<{ Job: number | null; Price: number }>({
    says: ({ Job, Price }) => say`${Job === null ? 'a job' : say`job ${Job}`} has ${money(Price)} on the way`,
    example: { Job: 7, Price: 90 },
  }),
  normal_moved: hold<{ Before: number; Normal: number }>({
    says: ({ Before, Normal }) =>
      say`its price was ${money(Before)} when the discount was made, and ${money(Normal)} when it began`,
    example: { Before: 100, Normal: 120 },
  }),

  // Outcomes of rows that were sent.
  no_reason: plain('refused by the service without a reason'),
  no_answer: plain('the service did not answer for this row: it may be queued or not'),
  set_some: hold<{ Set: number; Of: number; Said: string | null }>({
    says: ({ Set: set, Of, Said }) =>
      say`the service set ${set} of ${Of} numbers and did not say which${Said === null ? '' : say`: ${Said}`}`,
    example: { Set: 3, Of: 5, Said: null },
  }),
  call_failed: hold<{ Said: string }>({ says: ({ Said }) => say`${Said}`, example: { Said: 'the service is closed' } }),
  /** Answer of the service on a row. @property Result the code of its result; null where it gives none */
  service_said: hold<{ Result: string | null; Said: string }>({
    says: ({ Result, Said }) => (Result === null ? say`${Said}` : say`${Result}: ${Said}`),
    example: { Result: 'ErrorInvalidRequest', Said: 'the price is too low' },
  }),
  image: hold<{ Url: string; Problem: 'no_web_address' | 'not_fetched' | 'unfit' | 'changed' | 'refused'; Said: string }>({
    says: ({ Url, Problem, Said }) =>
      Problem === 'changed'
        ? say`nothing was sent: ${Said}`
        : Problem === 'no_web_address'
          ? say`nothing was sent: its image has no web address: ${Url}`
          : Problem === 'not_fetched'
            ? say`nothing was sent: its image could not be fetched: ${Said}`
            : Problem === 'refused'
              ? say`it is not on sale: the service refused its image ${Url}: ${Said}`
              : say`nothing was sent: its image ${Url} ${Said}`,
    example: { Url: 'https://images.example/1.jpg', Problem: 'unfit', Said: 'is not a GIF, JPEG or PNG' },
  }),
  program_ended: plain('the program ended before the reply came. Check whether the item exists before sending it again', {
    flag: '--unknown sent or --unknown again',
  }),
  commit_unknown: hold<{ Said: string }>({
    says: ({ Said }) => say`whether it was committed is not known: ${Said}`,
    pass: { flag: '--unknown sent or --unknown again' },
    example: { Said: 'internal error' },
  }),

  /** Hold of a discount in a ledger that was restored. @property Price null: neither is its normal price known */
  sent_unknown: hold<{ Price: number | null }>({
    says: ({ Price }) =>
      Price === null
        ? 'whether its price was sent is not known, and neither is its normal price: the ledger was restored'
        : say`whether ${money(Price)} was sent is not known: the ledger was restored`,
    example: { Price: 90 },
  }),
  taken_as_sent: plain("its reply was lost; taken as carried out on the seller's word"),
  restored: hold<{ MadeAt: string }>({
    says: ({ MadeAt }) =>
      say`the ledger was restored from a copy whose last record is of ${MadeAt}: this may have been sent since`,
    pass: { flag: '--unknown sent or --unknown again' },
    example: { MadeAt: '2026-01-31T11:00:00.000Z' },
  }),

  /** A reason that an older version stored as a text. */
  text: hold<{ Said: string }>({ says: ({ Said }) => say`${Said}`, example: { Said: 'held' } }),
}

type Facts = typeof FACTS
type GuardCode = GuardHold['Code']
export type HoldCode = GuardCode | keyof Facts
type ValuesOf<C extends HoldCode> = C extends keyof Facts ? Facts[C]['example'] : Extract<GuardHold, { Code: C }>['Values']

/** Values that every hold may have: the one of several prices that it is about, and the holds of the others. */
interface Beside {
  readonly Field?: string
  readonly Also?: readonly AnyHold[]
}

/** Why a row is held, skipped or not carried out. `Code` narrows `Values`. */
export type Hold = { [C in HoldCode]: { readonly Code: C; readonly Values: ValuesOf<C> & Beside } }[HoldCode]

/** A hold that is only shown, such as one of another version. */
export interface AnyHold {
  readonly Code: string
  readonly Values: object
}

const GUARD_KINDS = Object.values(PRICE_GUARDS).map((guard): [string, HoldKind<object>] => [
  guard.limit,
  {
    says: (values) => guard.says(values),
    pass: { flag: wideningFlag(guard.limit), ...(guard.over === 'row' || guard.over === 'equal' ? { allow: true } : {}) },
    example: guard.example,
  },
])

/** By code, those of the guards first. */
export const HOLDS: Readonly<Record<string, HoldKind<object>>> = {
  ...Object.fromEntries(GUARD_KINDS),
  ...(FACTS as unknown as Readonly<Record<string, HoldKind<object>>>),
}

/**
 * The words of a hold: a sentence without a full stop. A code of a later version is shown by its name, as is a hold of an
 * earlier version that lacks a value of its sentence.
 */
export function wordsOf({ Code, Values }: AnyHold): Message {
  const { Field, Also = [] } = Values as Beside
  const kind = HOLDS[Code]
  const said = kind !== undefined && Object.keys(kind.example).every((key) => key in Values) ? kind.says(Values) : Code
  return joined([Field === undefined ? said : say`${Field}: ${said}`, ...Also.map(wordsOf)], '; ')
}
