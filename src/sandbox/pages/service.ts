/**
 * The pages of a service for a browser: the list of its operations, and each operation with samples and a form (docs/service.md,
 * Service pages).
 */
import {
  type Field,
  type Fields,
  limitWords,
  nearest,
  type Operation,
  parametersBeyondText,
  resolved,
  type ServiceName,
  type Type,
  typeName,
} from '../../contract/index.js'
import { escaped } from '../markup.js'
import type { Reply } from '../server/reply.js'
import { page } from './layout.js'
import { buildSamples, credentialPairs } from './samples.js'

/** The list of a service's operations. */
export function servicePage(service: ServiceName, operations: readonly Operation[], namespace: string, address: string): Reply {
  const path = pathOf(address)
  const rows = operations.map(
    (operation) => `<tr><td><a href="${path}?op=${operation.name}">${operation.name}</a></td>
<td>${escaped(operation.summary)}</td>
<td class="soft nowrap">${operation.kind}${operation.queued ? ', queued' : ''}</td>
<td class="soft nowrap">${parametersBeyondText(operation).length === 0 ? 'SOAP, GET, POST' : 'SOAP'}</td></tr>`,
  )
  const content = `<h1>${service}</h1>
<p class="lead">${
    service !== 'PublicService'
      ? 'Every call acts for one seller: it names an application and a user.'
      : 'Reference data and the items of any seller; no user is needed.'
  } The service is described by its <a href="${path}?WSDL">WSDL</a>; its namespace is <code>${escaped(namespace)}</code>.</p>
<section class="card scroll" aria-label="Operations"><table>
<thead><tr><th scope="col">Operation</th><th scope="col">What it does</th><th scope="col">Kind</th><th scope="col">Bindings</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></section>`
  return page({ title: `${service}: operations`, content })
}

/** One operation: its parameters, a form, and samples for all its bindings. */
export async function operationPage(
  service: ServiceName,
  operations: readonly Operation[],
  name: string,
  namespace: string,
  address: string,
): Promise<Reply> {
  const operation = operations.find((each) => each.name === name)
  const path = pathOf(address)
  if (operation === undefined) return unknownOperation(service, operations, name, path)
  const all = await buildSamples(operation, namespace, address)
  const message = all.find(({ binding }) => binding === 'SOAP 1.2')?.request.split('\n\n')[1] ?? ''
  const samples = all.map(
    ({ binding, request, reply }, index) => `<details${index === 0 ? ' open' : ''}><summary>${binding}</summary>
<h3>Request</h3>
<pre tabindex="0"><code>${escaped(request)}</code></pre>
<h3>Reply</h3>
<pre tabindex="0"><code>${escaped(reply)}</code></pre></details>`,
  )
  const content = `<h1>${operation.name}</h1>
<p class="lead">${escaped(operation.summary)} ${facts(operation)}</p>
<div class="stack">
${parameterTable(operation)}
<section class="card"><div class="head"><h2>Try it</h2></div><div class="body">${tryForm(operation, path, message)}</div></section>
<section class="card"><div class="head"><h2>Samples</h2></div><div class="body">
${samples.join('\n')}
</div></section>
</div>
<p><a href="${path}">All operations of ${service}</a></p>`
  const style = '.stack > * + * { margin-top: 1.2rem; } textarea { font: 0.82rem/1.45 var(--mono); }'
  return page({
    title: `${operation.name}: ${service}`,
    content,
    style: `${style} form.soap { margin: 0; }`,
    script: SOAP_SCRIPT,
  })
}

function unknownOperation(service: ServiceName, operations: readonly Operation[], name: string, path: string): Reply {
  const near = nearest(
    name,
    operations.map((each) => each.name),
  )
  const advice = near === undefined ? '' : ` Did you mean <a href="${path}?op=${near}">${near}</a>?`
  const content = `<h1>No such operation</h1>
<p>${service} has no operation "${escaped(name)}".${advice}</p>
<p><a href="${path}">All operations of ${service}</a></p>`
  return page({ title: 'No such operation', content, status: 404 })
}

function facts({ kind, queued, internal, user }: Operation): string {
  const parts: string[] = []
  if (kind === 'read') parts.push('It changes nothing.')
  if (kind === 'single write') parts.push('Sent twice, it is done twice.')
  if (kind === 'repeatable write') parts.push('Sent twice, it leaves the same state.')
  if (queued) parts.push('It answers with a request id. GetRequestResults gives the outcome.')
  if (internal === true) parts.push('It is internal and may change at any time.')
  if (!user) parts.push('It acts for no seller.')
  return parts.join(' ')
}

function parameterTable(operation: Operation): string {
  const rows = parameterRows(operation.params, '')
  if (rows.length === 0) {
    return '<section class="card"><div class="head"><h2>Parameters</h2></div><p class="body soft">It takes none.</p></section>'
  }
  return `<section class="card"><div class="head"><h2 id="parameters">Parameters</h2></div><div class="scroll" role="region" aria-labelledby="parameters" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Occurs</th><th scope="col">Limits</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div></section>`
}

/** A row for each parameter and, below it, for each field inside it. */
function parameterRows(fields: Fields, prefix: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const row = `<tr><td class="mono">${path}</td><td>${typeText(field.type)}</td><td class="soft nowrap">${occurrence(field)}</td><td class="soft">${escaped(limits(field))}</td></tr>`
    const inner = resolved(field.type)
    if (inner.kind === 'struct') return [row, ...parameterRows(inner.fields, `${path}.`)]
    if (inner.kind === 'list' && inner.item.kind === 'struct') return [row, ...parameterRows(inner.item.fields, `${path}[].`)]
    return [row]
  })
}

function typeText(type: Type): string {
  const whole = resolved(type)
  if (whole.kind === 'enumeration' || whole.kind === 'flags') return `${whole.name}: ${whole.values.join(', ')}`
  if (whole.kind === 'list') return `list of ${typeName(whole.item)}`
  return typeName(whole)
}

function occurrence({ min, nillable, repeated }: Field): string {
  if (repeated) return 'any number'
  return `${min === 1 ? 'once' : 'at most once'}${nillable ? ', may be nil' : ''}`
}

function limits({ rule }: Field): string {
  if (rule === undefined) return ''
  return [limitWords(rule).join(', '), rule.why ?? ''].filter((part) => part !== '').join('; ')
}

/** A message that the page's script sends; a form alone cannot send XML. */
function soapForm({ name }: Operation, path: string, sample: string): string {
  return `<form class="soap" data-path="${path}">
<label>Message<textarea name="envelope" rows="24" spellcheck="false" autocomplete="off">${escaped(sample)}</textarea></label>
<p><button class="main" type="submit" disabled>Call ${name} by SOAP</button></p>
<noscript><p class="soft">This needs JavaScript. Without it, send the sample below by another program.</p></noscript>
<div aria-live="polite"><h3 hidden>Reply</h3><pre hidden tabindex="0"><code></code></pre></div>
</form>`
}

function tryForm(operation: Operation, path: string, sample: string): string {
  const beyond = parametersBeyondText(operation)
  if (beyond.length > 0) {
    return `<p>HTTP POST cannot carry ${beyond.map((name) => `<code>${name}</code>`).join(', ')}, so this form sends SOAP 1.2. Change the message as you like.</p>
${soapForm(operation, path, sample)}`
  }
  const inputs = Object.entries(operation.params).map(
    ([name, field]) => `<label>${name}<span class="hint">${escaped(inputHint(field))}</span>${input(name, field)}</label>`,
  )
  const credentials = credentialPairs(operation).map(
    ([name, value]) =>
      `<label>${name}<span class="hint">of the sandbox</span><input name="${name}" value="${escaped(value)}" autocomplete="off"></label>`,
  )
  return `<form method="post" action="${path}/${operation.name}">
<div class="fields">${[...inputs, ...credentials].join('\n')}</div>
<button class="main" type="submit">Call ${operation.name} by HTTP POST</button>
</form>`
}

function inputHint(field: Field): string {
  const what = field.type.kind === 'list' ? `${typeName(field.type.item)}; by SOAP or by hand, any number` : typeName(field.type)
  return field.nillable ? `${what}; empty for nil` : what
}

function input(name: string, field: Field): string {
  const type = resolved(field.type)
  const words = type.kind === 'enumeration' ? type.values : type.kind === 'boolean' ? ['false', 'true'] : undefined
  if (words !== undefined) return `<select name="${name}">${words.map((word) => `<option>${word}</option>`).join('')}</select>`
  const mode = type.kind === 'int' || (type.kind === 'list' && type.item.kind === 'int') ? ' inputmode="numeric"' : ''
  return `<input name="${name}"${mode} autocomplete="off">`
}

/** The path of an address: links of a page stay on the host where it was opened. */
function pathOf(address: string): string {
  return new URL(address).pathname
}

/** Sends the message of an operation's form as SOAP 1.2, and shows the reply. */
const SOAP_SCRIPT = `
for (const form of document.querySelectorAll('form.soap')) {
  const [button, title, box] = [form.querySelector('button'), form.querySelector('h3'), form.querySelector('pre')]
  const show = (text) => {
    box.firstChild.textContent = text
    title.hidden = box.hidden = false
  }
  button.disabled = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    try {
      const answer = await fetch(form.dataset.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/soap+xml; charset=utf-8' },
        body: form.elements.envelope.value,
      })
      show('HTTP ' + answer.status + ' ' + answer.statusText + '\\n\\n' + (await answer.text()))
    } catch {
      show('The sandbox does not answer; it may have been stopped, or fault injection closed the connection.')
    }
    button.disabled = false
  })
}
`
