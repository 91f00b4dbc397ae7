const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g
const ENTRY_START = '<script type="module"'
const ENTRY = /<script type="module" async="" src="([^"]+)"([^>]*)><\/script>/
/** The whole stylesheet of a page that contains the rules it uses (`page-styles.ts`). */
const LATE_STYLESHEET = /<link rel="stylesheet"[^>]*>(?=<\/body>)/

/** From the first paint, pictures of the first screen may take this long before scripts are requested beside them. */
const LONGEST_WAIT_MS = 1000

/**
 * A participants' page is whole without its scripts, so they wait until everything in it has loaded and been painted, at most a second after
 * the first paint. Otherwise 140 kB of script compete with its text and pictures on a slow connection. So does a stylesheet at the end of the
 * page, which browsers without JavaScript request at once.
 * @returns the page unchanged if it has no scripts
 */
export function requestScriptsAfterPaint(html: string): string {
  // It is among the page's last elements: a search from the front would read the whole page.
  const [tag, entry, attributes = ''] = ENTRY.exec(html.slice(html.lastIndexOf(ENTRY_START))) ?? []
  if (!tag || !entry) return html
  const headEnd = html.indexOf('</head>')
  const [head, rest] = [html.slice(0, headEnd), html.slice(headEnd)]
  const preloads = [...head.matchAll(PRELOAD)].map(([, address]) => address)
  const [stylesheet] = LATE_STYLESHEET.exec(rest) ?? []
  const late = stylesheet ? `<noscript data-late="">${stylesheet}</noscript>` : ''
  return (
    head.replace(PRELOAD, '') +
    rest.replace(stylesheet ?? '', '').replace(tag, () => `${late}<script${attributes}>${buildLoader(entry, preloads)}</script>`)
  )
}

/** Runs in the page: adds the stylesheet, the preloads and the entry, once. A hidden tab is not painted and does not wait; nor does a browser that does not tell. */
const buildLoader = (entry: string, preloads: readonly unknown[]): string =>
  `(()=>{let done,painted,loaded;const go=()=>{if(done)return;done=1;` +
  `for(const late of document.querySelectorAll("noscript[data-late]"))late.outerHTML=late.textContent;` +
  `for(const href of ${JSON.stringify(preloads)})document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));` +
  `const s=document.createElement("script");s.type="module";s.setAttribute("async","");s.src=${JSON.stringify(entry)};document.head.append(s)},` +
  `soon=()=>painted&&loaded?go():setTimeout(go,${LONGEST_WAIT_MS});` +
  `if(document.hidden)return go();` +
  `document.addEventListener("visibilitychange",go);` +
  `addEventListener("load",()=>{loaded=1;soon()});` +
  `try{new PerformanceObserver(()=>{painted=1;soon()}).observe({type:"paint",buffered:true})}catch{}})();` +
  `document.currentScript.remove()`
