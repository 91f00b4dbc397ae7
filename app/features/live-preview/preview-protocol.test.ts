import { beforeEach, describe, expect, test } from 'vitest'
import { EditorChannel } from './editor-channel.ts'
import { FrameChannel } from './frame-channel.ts'
import type { PreviewContent, ToEditor, ToFrame } from './preview-protocol.schema.ts'

const block = (id: string, title = id) => ({ id, type: 'hero', title: { en: title } })

let sent: ToFrame[]
let told: ToEditor[]
let shown: PreviewContent | undefined
let drawn: number[]
let selected: string | null | undefined
let current: PreviewContent
let editor: EditorChannel
let frame: FrameChannel
let heard: ToEditor[]
/** While true, messages to the frame are lost. */
let lost: boolean

beforeEach(() => {
  ;[sent, told, drawn, heard, lost] = [[], [], [], [], false]
  ;[shown, selected] = [undefined, undefined]
  current = { blocks: [block('a'), block('b')], tokens: null }
  let sessions = 0
  editor = new EditorChannel({
    post: (message) => {
      sent.push(message)
      // Like the browser: a copy, never the editor's own objects.
      if (!lost) frame.receive(structuredClone(message))
    },
    newSession: () => `session-${++sessions}`,
    current: () => current,
    heard: (message) => heard.push(message),
  })
  frame = new FrameChannel({
    post: (message) => {
      told.push(message)
      editor.receive(structuredClone(message))
    },
    show: (next, sequence) => {
      shown = next
      drawn.push(sequence)
    },
    select: (id) => (selected = id),
    scheme: () => {},
  })
})

const change = (next: PreviewContent) => {
  current = next
  return editor.update(next)
}
const ids = () => shown?.blocks?.map(({ id }) => id)

describe('the preview protocol', () => {
  test('starts with a handshake and the full state', () => {
    expect(change({ blocks: [block('a')], tokens: null })).toBeUndefined()
    frame.hello()
    expect(sent.map(({ kind }) => kind)).toEqual(['ack', 'init'])
    expect([ids(), drawn]).toEqual([['a'], [0]])
  })

  test('sends only changed blocks, and the order only if it changed', () => {
    frame.hello()
    const [a, b] = [block('a'), current.blocks?.[1] ?? block('b')]
    current = { blocks: [current.blocks?.[0] ?? a, b], tokens: null }
    change({ blocks: [block('a', 'New'), b], tokens: null })
    expect(sent.at(-1)).toMatchObject({ kind: 'patch', sequence: 1, blocks: [{ id: 'a', title: { en: 'New' } }] })
    expect(sent.at(-1)).not.toHaveProperty('order')
    change({ blocks: [b, current.blocks?.[0] ?? a], tokens: null })
    expect(sent.at(-1)).toMatchObject({ sequence: 2, order: ['b', 'a'] })
    expect(sent.at(-1)).not.toHaveProperty('blocks')
    expect([ids(), drawn]).toEqual([
      ['b', 'a'],
      [0, 1, 2],
    ])
    change({ blocks: [b], tokens: { primary: '#000000' } })
    expect([ids(), shown?.tokens]).toEqual([['b'], { primary: '#000000' }])
    expect(change(current)).toBeUndefined()
  })

  test('a frame that missed a patch asks for the full state and gets it', () => {
    frame.hello()
    lost = true
    change({ blocks: [block('a'), block('c')], tokens: null })
    lost = false
    change({ blocks: [block('a', 'Later'), current.blocks?.[1] ?? block('c')], tokens: null })
    expect(told.map(({ kind }) => kind)).toEqual(['hello', 'resync'])
    expect([ids(), shown?.blocks?.[0]]).toEqual([['a', 'c'], block('a', 'Later')])
    change({ blocks: [], tokens: null })
    expect(ids()).toEqual([])
  })

  test('ignores an outdated patch', () => {
    frame.hello()
    change({ blocks: [block('a', 'One')], tokens: null })
    const old = structuredClone(sent.at(-1))
    change({ blocks: [block('a', 'Two')], tokens: null })
    frame.receive(old)
    expect(shown?.blocks?.[0]).toMatchObject({ title: { en: 'Two' } })
  })

  test('a reloaded frame starts a new session, and messages of the old one are ignored', () => {
    frame.hello()
    frame.say({ kind: 'select', block: 'a' })
    const old = structuredClone(told.at(-1))
    frame.hello()
    editor.receive(old)
    expect(heard).toHaveLength(1)
    frame.say({ kind: 'select', block: 'b' })
    expect(heard.map((message) => message.kind === 'select' && message.block)).toEqual(['a', 'b'])
  })

  test('selection works in both directions', () => {
    frame.hello()
    editor.select('b')
    expect(selected).toBe('b')
    frame.say({ kind: 'bounds', bounds: { block: 'b', top: 1, left: 2, width: 3, height: 4 } })
    expect(heard).toMatchObject([{ kind: 'bounds', bounds: { block: 'b', height: 4 } }])
  })

  test.each([
    undefined,
    null,
    'hello',
    { kind: 'hello' },
    { parley: 'live-preview', version: 2, kind: 'hello' },
    { parley: 'live-preview', version: 1, kind: 'select', block: 'a' },
    { parley: 'live-preview', version: 1, session: 'session-1', kind: 'edit', block: 'a', path: [], text: 'x' },
    {
      parley: 'live-preview',
      version: 1,
      session: 'session-1',
      kind: 'bounds',
      bounds: { block: 'a', top: Infinity, left: 0, width: 0, height: 0 },
    },
  ])('the editor ignores an invalid message: %j', (data) => {
    frame.hello()
    const before = sent.length
    editor.receive(data)
    expect([heard, sent.length]).toEqual([[], before])
  })

  test('the frame reports a message it cannot understand, and keeps its content', () => {
    frame.hello()
    frame.receive({ parley: 'live-preview', version: 1, session: 'session-1', kind: 'patch', sequence: 1, blocks: [{ id: 7 }] })
    expect(heard).toMatchObject([{ kind: 'error', reason: 'not-understood' }])
    expect(ids()).toEqual(['a', 'b'])
    frame.receive({ source: 'an extension of the browser' })
    expect(heard).toHaveLength(1)
  })
})
