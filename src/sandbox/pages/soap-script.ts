/** Sends the message of an operation's form as SOAP 1.2, and shows the reply. */
export const SOAP_SCRIPT = `
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
