/**
 * Runs in the page. Equal for pages that show the same elements in the same styles at the same width, and differ only in their words. Instead of
 * words it has what the checker of accessibility asks of them: whether there are any, which names are the same, what is too small to press, and
 * what scrolls.
 */
export function fingerprintLook(): string {
  const STYLES = [
    'color',
    'background-color',
    'background-image',
    'font-size',
    'font-weight',
    'display',
    'visibility',
    'opacity',
    'position',
  ]
  const NAMES = /^(aria-label|title|alt)$/
  const NAMED_BY = /^aria-(labelledby|describedby)$/
  const REFERENCES = /^(for|form|list|headers|popovertarget|aria-(controls|owns|details|errormessage|activedescendant))$/
  const VALUES =
    /^(id|name|hreflang|href|src|srcset|action|value|content|placeholder|cite|d|points|transform|datetime|nonce|aria-(description|roledescription|valuetext|placeholder)|data-.*)$/
  const SMALLEST_TARGET = 24
  const names = new Map<string, number>([['', 0]])
  const numberName = (name: string): number => {
    const number = names.get(name.trim()) ?? names.size
    names.set(name.trim(), number)
    return number
  }
  const describeAttribute = ({ name, value }: Attr, { ownerDocument }: Element): string | [] => {
    const referred = () => value.split(/\s+/).map((id) => ownerDocument.getElementById(id))
    // Which language a text is in, or that it is not the page's, is one of its words.
    if (name === 'lang' && value) return []
    if (NAMES.test(name)) return `${name}=${numberName(value)}`
    if (NAMED_BY.test(name))
      return `${name}=${referred()
        .map((element) => (element ? numberName(element.textContent ?? '') : 'none'))
        .join()}`
    if (REFERENCES.test(name)) return `${name}=${referred().map(Boolean).join()}`
    return VALUES.test(name) ? `${name} ${value.trim() !== ''}` : `${name}=${value}`
  }
  const describeElement = (element: Element): string => {
    const style = element.ownerDocument.defaultView?.getComputedStyle(element)
    const attributes = [...element.attributes].flatMap((attribute) => describeAttribute(attribute, element)).toSorted()
    const hasText = [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.nodeValue?.trim())
    const isChecked = 'checked' in element && element.checked === true
    const isFilled = 'value' in element && element.value !== ''
    const { width, height } = element.getBoundingClientRect()
    // The height of a link in a line is that of its letters, however many lines there are.
    const smallest = style?.display === 'inline' ? width : Math.min(width, height)
    const isSmall = element.matches('a, button, input, select, summary, [role], [tabindex]') && smallest < SMALLEST_TARGET
    const isLarger = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
    const scrolls = isLarger && /auto|scroll/.test(style?.overflow ?? '')
    const inner = element instanceof HTMLIFrameElement ? element.contentDocument?.documentElement : undefined
    const children = [...element.children, ...(element.shadowRoot?.children ?? []), ...(inner ? [inner] : [])]
      .filter(({ tagName }) => !/^(SCRIPT|STYLE|LINK|META|TITLE)$/.test(tagName))
      .map(describeElement)
    // On each language's page another one of the languages is chosen.
    if (element.matches('.languages > ul')) children.sort()
    const parts = [element.tagName, ...attributes, ...[hasText, isChecked, isFilled, isSmall, scrolls].map(Number)]
    return `<${[...parts, ...STYLES.map((name) => style?.getPropertyValue(name))].join(' ')}${children.join('')}>`
  }
  const look = `${window.innerWidth} ${document.title.trim() !== ''} ${describeElement(document.documentElement)}`
  // Two sums of 32 bits: with one, some of the thousands of pages could be taken for another.
  let [first, second] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < look.length; at++) {
    const code = look.charCodeAt(at)
    first = Math.imul(first ^ code, 2654435761)
    second = Math.imul(second ^ code, 1597334677)
  }
  return `${look.length} ${first >>> 0} ${second >>> 0}`
}
