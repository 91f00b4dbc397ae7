import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { FrameChannel } from './frame-channel.ts'
import { listenForEdits, type GetEditableTexts } from './inline-editing.ts'
import type { FrameMessage, PreviewContent } from './preview-protocol.schema.ts'

const GREETING_INTERVAL_MS = 400
const REVEAL_INTERVAL_MS = 120
const MAX_REVEALS = 25
const SCROLL_MARGIN = 24
const BLOCK_SELECTOR = '[data-block]'

interface Frame {
  /** Content sent by the editor; undefined before the first message, or on a shared link without an editor. */
  shown: PreviewContent | undefined
  /** Changes to force a full redraw. */
  drawing: number
  say: (message: Exclude<FrameMessage, { kind: 'hello' }>) => void
}

/** What can be selected on a page, and which of its controls stay active in the preview. */
interface PreviewablePage {
  elementOf: (id: string) => Element | null
  idAt: (element: Element) => string | null
  /** Navigates to the part of the page that holds the selection. */
  reveal?: (id: string) => void
  /** True for links and buttons that keep working in the preview; all others are disabled. */
  isUsed?: (element: Element) => boolean
}

/** A page of blocks. The marker around each block has no box, so a block's position is that of its content. */
const BLOCK_PAGE: PreviewablePage = {
  elementOf: (id) => document.querySelector(`[data-block="${CSS.escape(id)}"]`),
  idAt: (element) => element.closest(BLOCK_SELECTOR)?.getAttribute('data-block') ?? null,
}

/** Connects this document to the editor that frames it. Accepts messages only from that window and the same origin. */
export function useFrame(texts: RefObject<GetEditableTexts>, page: PreviewablePage = BLOCK_PAGE): Frame {
  const [state, setState] = useState<{ shown: PreviewContent; sequence: number }>()
  const [drawing, setDrawing] = useState(0)
  const channel = useRef<FrameChannel>(undefined)
  const say = useCallback<Frame['say']>((message) => channel.current?.say(message), [])

  useEffect(() => {
    const editor = window.parent
    if (editor === window) return
    const { origin } = window.location
    let selected: string | null = null
    let isTyping = false
    let waiting: { shown: PreviewContent; sequence: number } | undefined
    const tellBounds = () =>
      own.say({ kind: 'bounds', bounds: selected === null ? null : measureBounds(selected, page.elementOf(selected)) })
    const own = new FrameChannel({
      post: (message) => editor.postMessage(message, origin),
      show: (shown, sequence) => {
        if (isTyping) waiting = { shown, sequence }
        // Render synchronously: the editor shares this thread and has work of its own queued.
        else flushSync(() => setState({ shown, sequence }))
      },
      select: (block) => {
        const isNew = block !== selected && block !== null
        selected = block
        const revealSelected = (tries: number) => {
          if (selected !== block) return
          const element = isNew ? page.elementOf(block) : null
          scrollIntoFrame(findVisibleElement(element))
          tellBounds()
          if (!isNew || element || !page.reveal || tries === 0) return
          // The other part of the page must load and render first: retry until the element exists.
          page.reveal(block)
          setTimeout(() => revealSelected(tries - 1), REVEAL_INTERVAL_MS)
        }
        revealSelected(MAX_REVEALS)
      },
      scheme: (scheme) => {
        document.documentElement.dataset['scheme'] = scheme
      },
    })
    channel.current = own
    const handleMessage = (event: MessageEvent) => {
      if (event.source === editor && event.origin === origin) own.receive(event.data)
    }
    // Capture clicks before the page's own handlers: in the editor, a click selects and must not navigate.
    const handleClick = (event: MouseEvent) => {
      const { target } = event
      if (!(target instanceof Element) || !own.isConnected) return
      const pressed = target.closest('a[href], button, summary')
      const link = pressed && page.isUsed?.(pressed) ? null : pressed
      if (link && !target.closest('summary')) event.preventDefault()
      if (link) event.stopPropagation()
      const block = page.idAt(target)
      if (block) own.say({ kind: 'select', block })
      if (link instanceof HTMLAnchorElement) own.say({ kind: 'navigate', href: link.href })
    }
    const preventSubmit = (event: SubmitEvent) => own.isConnected && event.preventDefault()
    const watcher = new ResizeObserver(tellBounds)
    watcher.observe(document.body)
    window.addEventListener('message', handleMessage)
    document.addEventListener('click', handleClick, true)
    document.addEventListener('submit', preventSubmit, true)
    window.addEventListener('scroll', tellBounds, { passive: true })
    const endEdits = listenForEdits(
      (block) => texts.current(block),
      (edit) => own.say({ kind: 'edit', ...edit }),
      (typing) => {
        isTyping = typing
        if (typing) return
        if (waiting) setState(waiting)
        waiting = undefined
        setDrawing((before) => before + 1)
      },
    )
    own.hello()
    const greeting = setInterval(() => (own.isConnected ? clearInterval(greeting) : own.hello()), GREETING_INTERVAL_MS)
    return () => {
      clearInterval(greeting)
      endEdits()
      watcher.disconnect()
      window.removeEventListener('message', handleMessage)
      document.removeEventListener('click', handleClick, true)
      document.removeEventListener('submit', preventSubmit, true)
      window.removeEventListener('scroll', tellBounds)
    }
  }, [texts, page])

  // Confirm after the browser has painted.
  useEffect(() => {
    if (!state) return
    const drawn = requestAnimationFrame(() => say({ kind: 'applied', sequence: state.sequence }))
    return () => cancelAnimationFrame(drawn)
  }, [state, say])
  return { shown: state?.shown, drawing, say }
}

const isBlockMark = (element: Element) => element.matches(BLOCK_SELECTOR)
/** Scrolls only within the frame; `scrollIntoView` would scroll the editor too. */
function scrollIntoFrame(element: Element | null): void {
  if (!element) return
  const { top, bottom } = element.getBoundingClientRect()
  // A page whose header stays at the top says how much that covers.
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0
  if (top < covered || bottom > window.innerHeight) window.scrollBy({ top: top - Math.max(covered, SCROLL_MARGIN) })
}

const findVisibleElement = (element: Element | null) => (element && isBlockMark(element) ? element.firstElementChild : element)

function measureBounds(block: string, element: Element | null) {
  const parts = element === null ? [] : isBlockMark(element) ? [...element.children] : [element]
  const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0)
  if (!boxes.length) return null
  const [top, left] = [Math.min(...boxes.map((box) => box.top)), Math.min(...boxes.map((box) => box.left))]
  return {
    block,
    top,
    left,
    width: Math.max(...boxes.map((box) => box.right)) - left,
    height: Math.max(...boxes.map((box) => box.bottom)) - top,
  }
}
