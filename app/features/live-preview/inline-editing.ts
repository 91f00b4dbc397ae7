import { toPlainText } from '#app/lib/rich-text.ts'

interface Edit {
  block: string
  path: string[]
  text: string
}

interface EditedText {
  path: string[]
  text: string
  /** With light markup, which is what is typed: the page shows it as headings, lists and links. */
  isRich: boolean
}

/** Texts of a block that can be typed over where they stand. */
export type GetEditableTexts = (blockId: string) => readonly EditedText[]

/**
 * Lets a text be typed over where it stands: a double press on words that are exactly one of the block's texts makes them editable. A
 * line ends with Enter, running text keeps its lines; leaving ends both, Escape takes it back. Participants' components know nothing of
 * it, so the page is kept as it is while somebody types in it (`typing`), and drawn anew afterwards.
 */
export function listenForEdits(textsOf: GetEditableTexts, edited: (edit: Edit) => void, typing: (isTyping: boolean) => void): () => void {
  let end: (() => void) | undefined
  const startEditing = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.isContentEditable) return
    const block = event.target.closest('[data-block]')?.getAttribute('data-block')
    if (!block) return
    const found = findText(event.target, textsOf(block))
    if (!found) return
    event.preventDefault()
    // Ended once and no more: the page is drawn anew each time, and what is typed next would go with the old one.
    end?.()
    typing(true)
    end = makeEditable(
      found.element,
      found,
      (text) => edited({ block, path: found.path, text }),
      () => {
        end = undefined
        typing(false)
      },
    )
  }
  document.addEventListener('dblclick', startEditing)
  return () => {
    document.removeEventListener('dblclick', startEditing)
    end?.()
  }
}

/** The element at the pointer, or one just around it, that holds one of the texts and nothing else. */
function findText(from: HTMLElement, texts: readonly EditedText[]) {
  for (let element: HTMLElement | null = from; element && !element.matches('[data-block]'); element = element.parentElement) {
    const shown = stripWhitespace(element.textContent)
    const holds = shown !== '' && element
    const match = texts.find(({ text, isRich }) =>
      isRich ? shown === stripWhitespace(toPlainText(text)) : shown === stripWhitespace(text) && element?.childElementCount === 0,
    )
    if (holds && match) return { element: holds, ...match }
  }
  return undefined
}

/** Without white space, which a page sets as it likes. */
const stripWhitespace = (text: string | null) => (text ?? '').replaceAll(/\s+/g, '')

function makeEditable(
  element: HTMLElement,
  { text: before, isRich }: EditedText,
  changed: (text: string) => void,
  ended: () => void,
): () => void {
  if (isRich) {
    // The markup itself, line by line: the page is drawn anew from it afterwards.
    element.textContent = before
    element.style.whiteSpace = 'pre-wrap'
  }
  element.contentEditable = 'plaintext-only'
  element.focus()
  window.getSelection()?.selectAllChildren(element)
  const reportChange = () => changed(isRich ? element.innerText : (element.textContent ?? ''))
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && (isRich || event.key !== 'Enter')) return
    event.preventDefault()
    if (event.key === 'Escape') {
      element.textContent = before
      changed(before)
    }
    element.blur()
  }
  const stopEditing = () => {
    element.removeEventListener('input', reportChange)
    element.removeEventListener('keydown', handleKeyDown)
    element.removeEventListener('blur', stopEditing)
    element.removeAttribute('contenteditable')
    element.style.whiteSpace = ''
    ended()
  }
  element.addEventListener('input', reportChange)
  element.addEventListener('keydown', handleKeyDown)
  element.addEventListener('blur', stopEditing)
  return stopEditing
}
