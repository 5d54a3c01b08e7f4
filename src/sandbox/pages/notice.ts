import { escaped } from '../markup.js'
import type { Reply } from '../server/reply.js'
import { page } from './layout.js'

/** A page that says why something was not done. */
export function noticePage(status: number, message: string): Reply {
  const content = `<h1>Not done</h1>\n<p>${escaped(message)}</p>\n<p><a href="/">Back to the console</a></p>`
  return page({ title: 'Not done', content, status })
}
