import type { Editor, JSONContent } from '@tiptap/core'
import { redoDepth, redo, undo, undoDepth } from '@tiptap/pm/history'
import { NodeSelection } from '@tiptap/pm/state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from '@tiptap/pm/tables'
import { useEffect, useRef, useState } from 'react'
import { AdminIcon, type AdminIconName } from '../admin-icon.tsx'
import { PictureChoice } from '../picture-input.tsx'
import { Toolbar } from '../toolbar.tsx'
import { LinkDialog, type Linked, PictureDialog, VideoDialog } from './EditorDialogs.tsx'
import { useWritingWords } from './writing-words.tsx'

type Command = Parameters<typeof undo>
type Opened = { kind: 'link'; link: Linked } | { kind: 'video' } | { kind: 'choose' } | { kind: 'picture'; src: string; alt: string }

/** Buttons for everything that the editor can do. Alt+F10 leads here from the text, Escape back. */
export function EditorToolbar({ editor, language }: { editor: Editor; language: string | undefined }) {
  const words = useWritingWords()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const run = (command: (state: Command[0], dispatch?: Command[1]) => boolean) => {
    command(editor.state, editor.view.dispatch)
    editor.commands.focus()
  }
  const focused = () => editor.chain().focus()
  const picture = editor.isActive('picture') ? editor.getAttributes('picture') : undefined
  const inTable = editor.isActive('table')
  const openLink = () => setOpened({ kind: 'link', link: readLink(editor) })
  const openPicture = () =>
    setOpened(picture ? { kind: 'picture', src: String(picture['src']), alt: String(picture['alt']) } : { kind: 'choose' })
  useKeysOut(editor, openLink)
  const toggles: ToggleProps[] = [
    {
      name: 'heading',
      keys: 'Mod+Alt+2',
      isOn: editor.isActive('heading', { level: 2 }),
      press: () => focused().toggleNode('heading', 'paragraph', { level: 2 }).run(),
      mark: 'H2',
    },
    {
      name: 'subheading',
      keys: 'Mod+Alt+3',
      isOn: editor.isActive('heading', { level: 3 }),
      press: () => focused().toggleNode('heading', 'paragraph', { level: 3 }).run(),
      mark: 'H3',
    },
    {
      name: 'strong',
      keys: 'Mod+B',
      isOn: editor.isActive('strong'),
      press: () => focused().toggleMark('strong').run(),
      mark: 'B',
    },
    {
      name: 'emphasis',
      keys: 'Mod+I',
      isOn: editor.isActive('emphasis'),
      press: () => focused().toggleMark('emphasis').run(),
      mark: 'I',
    },
    {
      name: 'bullets',
      keys: 'Mod+Shift+8',
      isOn: editor.isActive('bulletList'),
      press: () => focused().toggleList('bulletList', 'listItem').run(),
      icon: 'bullets',
    },
    {
      name: 'numbers',
      keys: 'Mod+Shift+7',
      isOn: editor.isActive('orderedList'),
      press: () => focused().toggleList('orderedList', 'listItem').run(),
      icon: 'numbers',
    },
    { name: 'link', keys: 'Mod+K', isOn: editor.isActive('link'), press: openLink, icon: 'link' },
  ]
  return (
    <div
      className="writing-tools"
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        editor.commands.focus()
      }}
    >
      <Toolbar label={words.tools}>
        {toggles.map((toggle) => (
          <Tool key={toggle.name} {...toggle} />
        ))}
        <Tool name="table" icon="table" disabled={inTable} press={() => insertTable(editor)} />
        <Tool name="picture" icon="image" disabled={inTable} press={openPicture} />
        <Tool name="video" icon="video" disabled={inTable} press={() => setOpened({ kind: 'video' })} />
        <Tool name="undo" keys="Mod+Z" icon="undo" disabled={!undoDepth(editor.state)} press={() => run(undo)} />
        <Tool name="redo" keys="Mod+Shift+Z" icon="redo" disabled={!redoDepth(editor.state)} press={() => run(redo)} />
      </Toolbar>
      {inTable && (
        <Toolbar label={words['table-tools']}>
          <Tool name="row-below" press={() => run(addRowAfter)} isWord />
          <Tool name="column-after" press={() => run(addColumnAfter)} isWord />
          <Tool name="remove-row" press={() => run(deleteRow)} isWord />
          <Tool name="remove-column" press={() => run(deleteColumn)} isWord />
          <Tool name="remove-table" press={() => run(deleteTable)} isWord />
        </Toolbar>
      )}
      {opened?.kind === 'link' && <LinkDialog link={opened.link} onClose={close} onDone={(link) => applyLink(editor, link)} />}
      {opened?.kind === 'video' && <VideoDialog onClose={close} onDone={(attrs) => insertBlock(editor, { type: 'video', attrs })} />}
      {opened?.kind === 'choose' && (
        <PictureChoice
          onClose={close}
          onChoose={({ address, alt }) =>
            setOpened({ kind: 'picture', src: address, alt: alt[(language ?? '') as keyof typeof alt] ?? '' })
          }
        />
      )}
      {opened?.kind === 'picture' && (
        <PictureDialog
          alt={opened.alt}
          onClose={close}
          onDone={(alt) => {
            const attrs = { src: opened.src, alt }
            if (picture) editor.chain().focus().updateAttributes('picture', attrs).run()
            else insertBlock(editor, { type: 'picture', attrs })
          }}
        />
      )}
    </div>
  )
}

interface ToggleProps {
  name: Exclude<keyof ReturnType<typeof useWritingWords>, 'tools'>
  press: () => unknown
  keys?: string
  isOn?: boolean
  disabled?: boolean
  icon?: AdminIconName
  /** Shows the name itself. */
  isWord?: boolean
  /** Letters it shows in place of an icon. */
  mark?: string
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)

function Tool({ name, press, keys, isOn, disabled = false, icon, isWord = false, mark }: ToggleProps) {
  const words = useWritingWords()
  const [mod, aria] = isApple() ? ['⌘', 'Meta'] : ['Ctrl', 'Control']
  const shown = keys?.replace('Mod', mod)
  return (
    <button
      type="button"
      className="writing-tool"
      aria-pressed={isOn}
      // It stays where the arrow keys find it.
      aria-disabled={disabled || undefined}
      aria-keyshortcuts={keys?.replace('Mod', aria)}
      {...(isWord ? {} : { 'aria-label': words[name], title: shown ? `${words[name]} (${shown})` : words[name] })}
      // The selection stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => !disabled && press()}
    >
      {isWord ? words[name] : icon ? <AdminIcon name={icon} /> : <span className="writing-mark" data-mark={mark} />}
    </button>
  )
}

/** Keys that lead out of the text: to the buttons, and to the dialog of a link. */
function useKeysOut(editor: Editor, openLink: () => void): void {
  const latest = useRef(openLink)
  useEffect(() => {
    latest.current = openLink
  })
  useEffect(() => {
    const { dom } = editor.view
    const handleKeyDown = (event: KeyboardEvent) => {
      const isLink = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k'
      const isTools = event.altKey && event.key === 'F10'
      if (!isLink && !isTools) return
      event.preventDefault()
      if (isLink) latest.current()
      else dom.closest('.writing')?.querySelector<HTMLElement>('.writing-tool')?.focus()
    }
    dom.addEventListener('keydown', handleKeyDown)
    return () => dom.removeEventListener('keydown', handleKeyDown)
  }, [editor])
}

function readLink(editor: Editor): Linked {
  const { empty } = editor.state.selection
  const href = editor.isActive('link') ? String(editor.getAttributes('link')['href']) : undefined
  return { href, needsText: empty && href === undefined, text: '' }
}

function applyLink(editor: Editor, { href, text, needsText }: Linked): void {
  const chain = editor.chain().focus()
  if (needsText && href)
    chain
      .insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
      .unsetMark('link')
      .run()
  else if (href) chain.extendMarkRange('link').setMark('link', { href }).run()
  else chain.extendMarkRange('link').unsetMark('link').run()
}

/** Leaves the cursor below the block. A picture or video that is selected stays, and the block comes after it. */
function insertBlock(editor: Editor, block: JSONContent): void {
  const { selection } = editor.state
  const at = selection instanceof NodeSelection ? selection.to : { from: selection.from, to: selection.to }
  editor
    .chain()
    .focus()
    .insertContentAt(at, [block, { type: 'paragraph' }])
    .run()
}

function insertTable(editor: Editor): void {
  const cell = { type: 'tableCell', content: [{ type: 'paragraph' }] }
  const row = { type: 'tableRow', content: [cell, cell, cell] }
  insertBlock(editor, { type: 'table', content: [row, row, row] })
  // Into the first cell of the nearest table before the cursor.
  let first: number | undefined
  editor.state.doc.nodesBetween(0, editor.state.selection.from, (node, at) => {
    if (node.type.name === 'table') first = at + 4
    return node.type.name === 'doc'
  })
  if (first !== undefined) editor.commands.setTextSelection(first)
}
