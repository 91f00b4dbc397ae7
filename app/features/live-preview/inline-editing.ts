interface Edit {
  block: string
  path: string[]
  text: string
}

type TextsOf = (blockId: string) => readonly { path: string[]; text: string }[]

/**
 * Lets a text be typed over where it stands: a double press on words that are exactly one of the block's texts makes them editable, as
 * plain text. Enter and leaving end it, Escape takes it back. Participants' components know nothing of it, so the page is kept as it is
 * while somebody types in it (`typing`), and drawn anew afterwards.
 */
export function listenForEdits(textsOf: TextsOf, edited: (edit: Edit) => void, typing: (isTyping: boolean) => void): () => void {
  let end: (() => void) | undefined
  const begin = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLElement)) return
    const block = event.target.closest('[data-block]')?.getAttribute('data-block')
    if (!block) return
    const found = findText(event.target, textsOf(block))
    if (!found) return
    event.preventDefault()
    end?.()
    typing(true)
    end = edit(
      found.element,
      found.text,
      (text) => edited({ block, path: found.path, text }),
      () => typing(false),
    )
  }
  document.addEventListener('dblclick', begin)
  return () => {
    document.removeEventListener('dblclick', begin)
    end?.()
  }
}

/** The element at the pointer, or one just around it, that holds one of the texts and nothing else. */
function findText(from: HTMLElement, texts: readonly { path: string[]; text: string }[]) {
  for (let element: HTMLElement | null = from; element && !element.matches('[data-block]'); element = element.parentElement) {
    const shown = element.textContent?.trim()
    const match = texts.find(({ text }) => text.trim() !== '' && text.trim() === shown)
    if (match && element.childElementCount === 0) return { element, ...match }
  }
  return undefined
}

function edit(element: HTMLElement, before: string, changed: (text: string) => void, ended: () => void): () => void {
  element.contentEditable = 'plaintext-only'
  element.focus()
  window.getSelection()?.selectAllChildren(element)
  const type = () => changed(element.textContent ?? '')
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Escape') {
      element.textContent = before
      changed(before)
    }
    element.blur()
  }
  const end = () => {
    element.removeEventListener('input', type)
    element.removeEventListener('keydown', key)
    element.removeEventListener('blur', end)
    element.removeAttribute('contenteditable')
    ended()
  }
  element.addEventListener('input', type)
  element.addEventListener('keydown', key)
  element.addEventListener('blur', end)
  return end
}
