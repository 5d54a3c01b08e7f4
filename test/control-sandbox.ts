/** Commands to the control plane of a running sandbox (docs/sandbox.md). */

/** Sends one command, and gives its answer. @throws {Error} with the sandbox's own message if it refuses */
export async function controlSandbox(
  url: string,
  action: 'buy' | 'bid' | 'cancel' | 'clock' | 'eid' | 'faults' | 'order' | 'pay' | 'reset' | 'seed',
  body: object,
): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(new URL(`/_sandbox/${action}`, url), { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await reply.json()) as { readonly error?: string }
  if (!reply.ok) throw new Error(answer.error)
  return answer
}
