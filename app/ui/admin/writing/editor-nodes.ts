import { Extension, Mark, mergeAttributes, Node, textblockTypeInputRule, wrappingInputRule } from '@tiptap/core'
import { gapCursor } from '@tiptap/pm/gapcursor'
import { history, redo, undo } from '@tiptap/pm/history'
import { tableEditing } from '@tiptap/pm/tables'
import { toSafeHref } from '#app/lib/rich-text.ts'

/** What light markup can express, and nothing else: the editor can hold no text that cannot be stored. */

const document = Node.create({ name: 'doc', topNode: true, content: 'block+' })

const text = Node.create({ name: 'text', group: 'inline' })

const paragraph = Node.create({
  name: 'paragraph',
  priority: 1000,
  group: 'block',
  content: 'inline*',
  parseHTML: () => [{ tag: 'p' }],
  renderHTML: () => ['p', 0],
})

const hardBreak = Node.create({
  name: 'hardBreak',
  group: 'inline',
  inline: true,
  selectable: false,
  parseHTML: () => [{ tag: 'br' }],
  renderHTML: () => ['br'],
  renderText: () => '\n',
  addKeyboardShortcuts() {
    return { 'Shift-Enter': () => this.editor.commands.insertContent({ type: 'hardBreak' }) }
  },
})

const heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => ({ level: { default: 2, rendered: false } }),
  parseHTML: () => [2, 3].map((level) => ({ tag: `h${level}`, attrs: { level } })),
  renderHTML: ({ node }) => [node.attrs['level'] === 3 ? 'h3' : 'h2', 0],
  addKeyboardShortcuts() {
    const toggle = (level: number) => () => this.editor.commands.toggleNode('heading', 'paragraph', { level })
    return { 'Mod-Alt-2': toggle(2), 'Mod-Alt-3': toggle(3), 'Mod-Alt-0': () => this.editor.commands.setNode('paragraph') }
  },
  addInputRules() {
    return [2, 3].map((level) =>
      textblockTypeInputRule({ find: new RegExp(`^#{${level}} $`), type: this.type, getAttributes: () => ({ level }) }),
    )
  },
})

const listItem = Node.create({
  name: 'listItem',
  content: 'paragraph',
  defining: true,
  parseHTML: () => [{ tag: 'li' }],
  renderHTML: () => ['li', 0],
  addKeyboardShortcuts() {
    return {
      Enter: () => this.editor.commands.splitListItem('listItem'),
      Backspace: () => {
        const { empty, $from } = this.editor.state.selection
        return empty && $from.parentOffset === 0 && this.editor.isActive('listItem') && this.editor.commands.liftListItem('listItem')
      },
    }
  },
})

const bulletList = Node.create({
  name: 'bulletList',
  group: 'block',
  content: 'listItem+',
  parseHTML: () => [{ tag: 'ul' }],
  renderHTML: () => ['ul', 0],
  addKeyboardShortcuts() {
    return { 'Mod-Shift-8': () => this.editor.commands.toggleList('bulletList', 'listItem') }
  },
  addInputRules() {
    return [wrappingInputRule({ find: /^[-*•] $/, type: this.type })]
  },
})

const orderedList = Node.create({
  name: 'orderedList',
  group: 'block',
  content: 'listItem+',
  addAttributes: () => ({ start: { default: 1, parseHTML: (element) => Number(element.getAttribute('start') ?? 1) } }),
  parseHTML: () => [{ tag: 'ol' }],
  renderHTML: ({ node }) => ['ol', node.attrs['start'] === 1 ? {} : { start: node.attrs['start'] }, 0],
  addKeyboardShortcuts() {
    return { 'Mod-Shift-7': () => this.editor.commands.toggleList('orderedList', 'listItem') }
  },
  addInputRules() {
    return [wrappingInputRule({ find: /^1\. $/, type: this.type })]
  },
})

const table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  extendNodeSchema: (extension) => (extension.name === 'table' ? { tableRole: 'table' } : {}),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', ['tbody', 0]],
  addProseMirrorPlugins: () => [tableEditing()],
})

const tableRow = Node.create({
  name: 'tableRow',
  content: 'tableCell*',
  extendNodeSchema: (extension) => (extension.name === 'tableRow' ? { tableRole: 'row' } : {}),
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const tableCell = Node.create({
  name: 'tableCell',
  content: 'paragraph',
  isolating: true,
  extendNodeSchema: (extension) => (extension.name === 'tableCell' ? { tableRole: 'cell' } : {}),
  // Markup has no joined cells, but the table commands ask for these.
  addAttributes: () => ({
    colspan: { default: 1, rendered: false, parseHTML: () => 1 },
    rowspan: { default: 1, rendered: false, parseHTML: () => 1 },
    colwidth: { default: null, rendered: false, parseHTML: () => null },
  }),
  parseHTML: () => [{ tag: 'td' }, { tag: 'th' }],
  renderHTML: () => ['td', 0],
})

const picture = Node.create({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' } }),
  parseHTML: () => [{ tag: 'img[src^="/media/"]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

const video = Node.create({
  name: 'video',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    href: { default: '', rendered: false, parseHTML: (element) => element.getAttribute('data-video') },
    title: { default: '', rendered: false, parseHTML: (element) => element.getAttribute('data-title') },
    host: { default: '', rendered: false, parseHTML: (element) => element.getAttribute('data-host') },
  }),
  parseHTML: () => [{ tag: 'div[data-video]' }],
  renderHTML: ({ node: { attrs } }) => [
    'div',
    { class: 'writing-video', 'data-video': attrs['href'], 'data-title': attrs['title'], 'data-host': attrs['host'] },
    `${attrs['title']} (${attrs['host']})`,
  ],
})

const createSimpleMark = (name: string, tag: string, others: string[], key: string) =>
  Mark.create({
    name,
    parseHTML: () => [tag, ...others].map((one) => ({ tag: one })),
    renderHTML: () => [tag, 0],
    addKeyboardShortcuts() {
      return { [key]: () => this.editor.commands.toggleMark(name) }
    },
  })

const link = Mark.create({
  name: 'link',
  priority: 1000,
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [
    { tag: 'a[href]', getAttrs: (element) => (toSafeHref(element.getAttribute('href') ?? '') === undefined ? false : null) },
  ],
  renderHTML: ({ HTMLAttributes }) => ['a', mergeAttributes(HTMLAttributes, { rel: 'noopener' }), 0],
})

const undoHistory = Extension.create({
  name: 'undoHistory',
  addProseMirrorPlugins: () => [history(), gapCursor()],
  addKeyboardShortcuts() {
    const run = (command: typeof undo) => () => command(this.editor.state, this.editor.view.dispatch)
    return { 'Mod-z': run(undo), 'Mod-y': run(redo), 'Mod-Shift-z': run(redo) }
  },
})

export const EDITOR_NODES = [
  document,
  text,
  paragraph,
  hardBreak,
  heading,
  bulletList,
  orderedList,
  listItem,
  table,
  tableRow,
  tableCell,
  picture,
  video,
  createSimpleMark('strong', 'strong', ['b'], 'Mod-b'),
  createSimpleMark('emphasis', 'em', ['i'], 'Mod-i'),
  link,
  undoHistory,
]
