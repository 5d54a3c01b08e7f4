import { readdirSync } from 'node:fs'
import { openColoured } from '../e2e/coloured.js'
import { describeSession, SESSIONS } from '../e2e/session.js'
import { opened } from '../opened.js'

describe('a session at a colour terminal', () => {
  const coloured = opened(openColoured)

  for (const name of readdirSync(SESSIONS)) describeSession(name, () => coloured)
})
