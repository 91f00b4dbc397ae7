/** The element that lists the scripts of a page which loads them after its first screen. */
export const PAGE_SCRIPTS_ID = 'page-scripts'

/** A picture that never arrives must not keep the scripts away. */
const LONGEST_WAIT_MS = 4000

/**
 * Resolves once the first screen of a participant's page is painted, or as soon as its reader does something. The page works without
 * scripts; on a slow line they would only delay its text and pictures. Editors' pages show nothing without scripts and do not wait.
 */
export async function waitForFirstSight(): Promise<void> {
  const list = document.getElementById(PAGE_SCRIPTS_ID)
  if (!list) return
  await Promise.race([waitForPaint(), waitForInput(), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
  for (const href of JSON.parse(list.textContent) as string[]) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
}

async function waitForPaint(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  // A frame's callbacks run before it is painted; a hidden tab has no frames and ends with the longest wait.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

function waitForInput(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['pointerdown', 'keydown', 'focusin']) addEventListener(name, () => resolve(), { once: true, passive: true })
  })
}
