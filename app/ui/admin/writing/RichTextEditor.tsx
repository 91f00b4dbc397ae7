import { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { DOMSerializer, Node, Slice } from '@tiptap/pm/model'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { createMarkupWriter, writeRichText } from '#app/lib/write-rich-text.ts'
import { readEditorDocument, toDocument, toEditorDocument } from './editor-document.ts'
import { EDITOR_NODES } from './editor-nodes.ts'
import { EditorToolbar } from './EditorToolbar.tsx'
import { readHtml } from './read-html.ts'
import { useWritingWords } from './writing-words.tsx'

export interface RichTextEditorProps {
  id: string
  labelId: string
  describedBy: string | undefined
  isInvalid: boolean
  isRequired: boolean
  /** Light markup. */
  value: string
  onChange: (markup: string) => void
  rows: number
  language: string | undefined
}

/** Writes light markup in an editor. Blocks that are not edited keep their exact markup. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { value, onChange, rows, language } = props
  const words = useWritingWords()
  const { labelId } = props
  const [editor, setEditor] = useState<Editor>()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const report = useRef(onChange)
  /** The markup that the editor shows. */
  const shown = useRef(value)
  /** What was typed and reported, but has not come back as `value` yet. */
  const reported = useRef<string[]>([])
  const seen = useRef(value)
  const write = useRef<ReturnType<typeof createMarkupWriter>>(undefined)
  const attributesKey = JSON.stringify(buildAttributes(props))
  useEffect(() => {
    report.current = onChange
  })
  const attachEditor = useCallback(
    (place: HTMLElement | null) => {
      if (!place) return undefined
      write.current = createMarkupWriter(shown.current)
      const made = new Editor({
        element: place,
        injectCSS: false,
        extensions: EDITOR_NODES,
        content: toEditorDocument(shown.current),
        editorProps: CLIPBOARD,
        onTransaction: redraw,
        onUpdate: () => {
          const markup = write.current?.(readEditorDocument(made.getJSON()))
          if (markup === undefined || markup === shown.current) return
          shown.current = markup
          reported.current.push(markup)
          report.current(markup)
        },
      })
      setEditor(made)
      // A label by itself leads only to inputs.
      const focusText = () => made.commands.focus()
      const label = document.getElementById(labelId)
      label?.addEventListener('click', focusText)
      return () => {
        label?.removeEventListener('click', focusText)
        made.destroy()
      }
    },
    [labelId],
  )
  useEffect(() => {
    if (!editor) return
    const isNews = value !== seen.current
    seen.current = value
    if (value === shown.current) reported.current = []
    // The form is a step behind the typing: its older value must not replace what was typed since.
    if (value === shown.current || !isNews || reported.current.includes(value)) return
    shown.current = value
    reported.current = []
    write.current = createMarkupWriter(value)
    editor.commands.setContent(toEditorDocument(value), { emitUpdate: false })
  })
  useEffect(() => {
    editor?.setOptions({ editorProps: { attributes: JSON.parse(attributesKey) as Record<string, string>, ...CLIPBOARD } })
  }, [editor, attributesKey])
  return (
    <div className="writing">
      {editor && <EditorToolbar editor={editor} language={language} />}
      <p className="visually-hidden" id={`${props.id}-keys`}>
        {words['keys-hint']}
      </p>
      <div className="writing-place" ref={attachEditor} style={{ minHeight: `${rows * 1.6}em` }} />
    </div>
  )
}

const buildAttributes = ({ id, labelId, describedBy, isInvalid, isRequired, language }: RichTextEditorProps): Record<string, string> => ({
  id,
  class: 'input prose',
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-labelledby': labelId,
  'aria-describedby': [describedBy, `${id}-keys`].filter(Boolean).join(' '),
  ...(isInvalid && { 'aria-invalid': 'true' }),
  ...(isRequired && { 'aria-required': 'true' }),
  ...(language && { lang: language }),
})

/** Pasted HTML is reduced to what markup can express, and plain text is read as markup. */
const CLIPBOARD: NonNullable<ConstructorParameters<typeof Editor>[0]>['editorProps'] = {
  // What is pasted can be undone without what was typed just before.
  handlePaste: (view) => {
    view.dispatch(closeHistory(view.state.tr))
    return false
  },
  transformPastedHTML: (html, view) => {
    // Copied from an editor like this one.
    if (html.includes('data-pm-slice')) return html
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    const document = Node.fromJSON(view.state.schema, toDocument(readHtml(body)))
    const holder = body.ownerDocument.createElement('div')
    holder.append(DOMSerializer.fromSchema(view.state.schema).serializeFragment(document.content, { document: body.ownerDocument }))
    return holder.innerHTML
  },
  clipboardTextParser: (text, _context, _plain, view) => Slice.maxOpen(Node.fromJSON(view.state.schema, toEditorDocument(text)).content),
  clipboardTextSerializer: ({ content }) => {
    const nodes = content.toJSON() as Parameters<typeof readEditorDocument>[0]['content'] | null
    const isInline = nodes?.every(({ type }) => type === 'text' || type === 'hardBreak')
    return writeRichText(readEditorDocument({ content: isInline ? [{ type: 'paragraph', content: nodes ?? [] }] : (nodes ?? []) }))
  },
}
