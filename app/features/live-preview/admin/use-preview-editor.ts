import { type RefObject, useEffect, useRef, useState } from 'react'
import { EditorChannel } from '../editor-channel.ts'
import type { PreviewError, PreviewContent, ToEditor } from '../preview-protocol.schema.ts'

interface EditorState {
  shown: PreviewContent
  selected: string | undefined
  scheme: 'light' | 'dark'
  onSelect: (block: string) => void
  onEdit: (block: string, path: string[], text: string) => void
}

/** Bounds of the selected block; null while it is not rendered. */
export type Bounds = Extract<ToEditor, { kind: 'bounds' }>['bounds']

/** Connects an editor to its preview. Accepts messages only from the frame's window and the page's own origin. */
export function useEditor(frame: RefObject<HTMLIFrameElement | null>, state: EditorState) {
  const [bounds, setBounds] = useState<Bounds>(null)
  const [problem, setProblem] = useState<PreviewError>()
  const [link, setLink] = useState<string>()
  const latest = useRef(state)
  const channel = useRef<EditorChannel>(undefined)
  useEffect(() => {
    latest.current = state
  })

  useEffect(() => {
    const { origin } = window.location
    const own = new EditorChannel({
      post: (message) => frame.current?.contentWindow?.postMessage(message, origin),
      newSession: () => crypto.randomUUID(),
      current: () => latest.current.shown,
      heard: (message) => {
        switch (message.kind) {
          case 'select':
            setLink(undefined)
            if (message.block) latest.current.onSelect(message.block)
            break
          case 'bounds':
            setBounds(message.bounds)
            break
          case 'edit':
            latest.current.onEdit(message.block, message.path, message.text)
            break
          case 'navigate':
            setLink(message.href)
            break
          case 'error':
            setProblem(message)
            break
          case 'applied':
            setProblem((before) => (before?.reason === 'data-failed' ? before : undefined))
        }
      },
    })
    channel.current = own
    const handleMessage = (event: MessageEvent) => {
      if (event.origin !== origin || event.source === null || event.source !== frame.current?.contentWindow) return
      own.receive(event.data)
      if ((event.data as { kind?: unknown } | null)?.kind === 'hello') {
        own.select(latest.current.selected ?? null)
        own.scheme(latest.current.scheme)
      }
    }
    window.addEventListener('message', handleMessage)
    return () => window.removeEventListener('message', handleMessage)
  }, [frame])

  const { shown, selected, scheme } = state
  useEffect(() => void channel.current?.update(shown), [shown])
  useEffect(() => channel.current?.select(selected ?? null), [selected])
  useEffect(() => channel.current?.scheme(scheme), [scheme])
  return { bounds, problem, link }
}
