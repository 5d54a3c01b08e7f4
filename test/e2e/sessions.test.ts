/** All sessions (session.ts). With SELLER_TEST_COLOUR=1 at a colour terminal, as the slow tests run them. */
import { readdirSync } from 'node:fs'
import { type ColouredProduct, openColoured } from './coloured.js'
import { describeSession, SESSIONS } from './session.js'

describe('a session at a terminal', () => {
  let coloured: ColouredProduct | undefined
  before(async () => {
    if (process.env.SELLER_TEST_COLOUR) coloured = await openColoured()
  })
  after(() => coloured?.close())

  for (const name of readdirSync(SESSIONS)) describeSession(name, () => coloured)
})
