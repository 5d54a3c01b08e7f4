/**
 * Keeps the console's panels up to date: it asks for them once a second and replaces those that changed. The server renders and
 * escapes them, as it does for a browser without scripts. A panel that the user is working in is not replaced.
 */
export const CONSOLE_SCRIPT = `
(() => {
  const shown = new Map()
  const typing = (panel) => panel.contains(document.activeElement) && /^(INPUT|SELECT)$/.test(document.activeElement.tagName)
  const put = (panel, html) => {
    if (shown.get(panel.id) === html) return
    if (typing(panel)) return
    shown.set(panel.id, html)
    const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.key : undefined
    const open = new Set([...panel.querySelectorAll('details[open]')].map((one) => one.dataset.key))
    panel.innerHTML = html
    for (const one of panel.querySelectorAll('details')) if (open.has(one.dataset.key)) one.open = true
    if (focused) panel.querySelector('[data-key="' + CSS.escape(focused) + '"]')?.focus()
  }
  const look = async () => {
    try {
      const answer = await fetch('/_sandbox/state' + location.search, { headers: { Accept: 'application/json' } })
      if (!answer.ok) throw new Error(String(answer.status))
      const { panels } = await answer.json()
      for (const [id, html] of Object.entries(panels)) {
        const panel = document.getElementById(id)
        if (panel) put(panel, html)
      }
      document.documentElement.dataset.live = 'yes'
    } catch {
      document.documentElement.dataset.live = 'no'
      const clock = document.getElementById('clock')
      if (clock) clock.textContent = 'The sandbox does not answer; it may have been stopped.'
      shown.clear()
    }
    setTimeout(look, document.hidden ? 5000 : 1000)
  }
  setTimeout(look, 500)
})()
`
