import { toPlainText } from '#app/lib/rich-text.ts'

interface Edit {
  block: string
  path: string[]
  text: string
}

interface EditedText {
  path: string[]
  text: string
  /** Rich text: the source with light markup is edited, while the page shows headings, lists and links. */
  isRich: boolean
}

/** Texts of a block that can be edited in place. */
export type GetEditableTexts = (blockId: string) => readonly EditedText[]

/**
 * Edits texts in place: double-clicking an element that shows exactly one of the block's texts makes it editable. Enter ends a single line,
 * leaving the element ends any edit, Escape reverts it. Participants' components do not know about this, so rendering pauses while somebody
 * is typing (`typing`) and resumes afterwards.
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
    // End the previous edit exactly once: each end re-renders the page, and later input would be lost with the old element.
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

/** The clicked element or an ancestor within the block whose content is exactly one of the texts. */
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

/** Ignores white space, which rendering may change. */
const stripWhitespace = (text: string | null) => (text ?? '').replaceAll(/\s+/g, '')

function makeEditable(
  element: HTMLElement,
  { text: before, isRich }: EditedText,
  changed: (text: string) => void,
  ended: () => void,
): () => void {
  if (isRich) {
    // Edit the markup source; afterwards, the page is rendered from it again.
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
