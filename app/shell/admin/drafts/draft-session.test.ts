import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#app/lib/app-error.ts'
import { DraftSession } from './draft-session.ts'
import { type Draft, type DraftStore, getDraftState, isNewerVersion, type StoredVersion } from './draft.ts'

/** A form of two fields. Changes of different fields can be merged. */
interface Form {
  title: string
  text: string
}

const FIELDS = ['title', 'text'] as const
const FIRST: Form = { title: 'Benches', text: 'Where?' }

/** A server with one stored version. */
class Server {
  version = 1
  stored: Form = FIRST
  saves: Form[] = []
  /** Answers to the next saves: refused, unreachable, or stored while the answer gets lost. */
  next: (AppError | 'unreachable' | 'lost')[] = []

  save(content: Form, base: StoredVersion<Form>): string {
    this.saves.push(content)
    const answer = this.next.shift()
    if (answer instanceof AppError) throw answer
    if (answer === 'unreachable') throw new TypeError('Failed to fetch')
    if (base.id !== String(this.version)) throw new AppError('stale')
    this.store(content)
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    return String(this.version)
  }

  /** Stores a version from another editor. */
  store(content: Form): void {
    this.stored = content
    this.version += 1
  }
}

let server: Server
let device: Map<string, string>

beforeEach(() => {
  vi.useFakeTimers()
  server = new Server()
  device = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => device.get(name) ?? null,
    setItem: (name: string, value: string) => device.set(name, value),
    removeItem: (name: string) => device.delete(name),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function mergeForms(base: Form, mine: Form, theirs: Form) {
  const merged = { mine: { ...theirs }, theirs: { ...theirs }, isClear: true }
  for (const name of FIELDS.filter((field) => mine[field] !== base[field])) {
    const contradicts = theirs[name] !== base[name] && theirs[name] !== mine[name]
    if (contradicts) merged.isClear = false
    else merged.theirs[name] = mine[name]
    merged.mine[name] = mine[name]
  }
  return merged
}

function openSession(
  change: { merge?: undefined; read?: DraftStore<Form>['read'] } = {},
): DraftSession<Form> & { draft: Draft<Form>; stop: () => void } {
  const store: DraftStore<Form> = {
    name: 'form',
    write: (form) => form,
    read: (written) => written as Form,
    save: async (content, base) => server.save(content, base),
    loadNewest: async () => ({ id: String(server.version), content: server.stored }),
    merge: mergeForms,
    both: (_, mine, theirs) => ({ title: `${mine.title}, ${theirs.title}`, text: `${mine.text}, ${theirs.text}` }),
    debounceMs: 600,
    maxDelayMs: 900,
    ...change,
  }
  const session = new DraftSession(store, { id: String(server.version), content: server.stored })
  const stop = session.start()
  return Object.defineProperty(Object.assign(session, { stop }), 'draft', { get: () => session.getDraft() }) as ReturnType<
    typeof openSession
  >
}

const setTitle = (title: string) => (now: Form) => ({ ...now, title })
const setText = (text: string) => (now: Form) => ({ ...now, text })
const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a draft is saved', () => {
  test('at a pause, once', async () => {
    const session = openSession()
    session.change(setTitle('Trees'), 'title')
    await passTime(250)
    session.change(setTitle('Trees?'), 'title')
    await passTime(550)
    expect(server.saves).toEqual([])
    await passTime(100)
    expect(server.saves).toEqual([{ ...FIRST, title: 'Trees?' }])
    expect(getDraftState(session.draft)).toBe('saved')
    await passTime(60_000)
    expect(server.saves).toHaveLength(1)
  })

  test('while somebody types without a pause, too', async () => {
    const session = openSession()
    for (let typed = 0; typed < 20; typed += 1) {
      session.change(setTitle(`Trees ${typed}`), 'title')
      await passTime(100)
    }
    expect(server.saves.length).toBeGreaterThanOrEqual(2)
  })

  test('not at all if the change was taken back by hand', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    session.change(setTitle('Benches'))
    expect(session.draft.isChanged).toBe(false)
    await passTime(60_000)
    expect(server.saves).toEqual([])
  })

  test('at once when asked, with the id of what is then stored', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    const [first, second] = [session.save(), session.save()]
    expect([await first, await second]).toEqual(['2', '2'])
    expect(server.saves).toHaveLength(1)
  })

  test('again some seconds after the server was unreachable, however much is typed meanwhile', async () => {
    server.next = ['unreachable']
    const session = openSession()
    session.change(setTitle('Trees'))
    await passTime(700)
    expect(getDraftState(session.draft)).toBe('offline')
    for (let typed = 0; typed < 14; typed += 1) {
      session.change(setTitle(`Trees ${typed}`), 'title')
      await passTime(300)
    }
    expect(server.stored.title).toMatch(/^Trees \d/)
    await passTime(2000)
    expect(getDraftState(session.draft)).toBe('saved')
  })

  test('only after the next change if the server refused it', async () => {
    server.next = [new AppError('invalid')]
    const session = openSession()
    session.change(setTitle(''))
    await passTime(60_000)
    expect(getDraftState(session.draft)).toBe('refused')
    expect(server.saves).toHaveLength(1)
    session.change(setTitle('Trees'))
    await passTime(1000)
    expect(server.stored.title).toBe('Trees')
    expect(getDraftState(session.draft)).toBe('saved')
  })
})

describe('two people at once', () => {
  test('changes of different fields are merged and saved without asking', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    server.store({ ...FIRST, text: 'Why?' })
    await passTime(1000)
    expect(server.stored).toEqual({ title: 'Trees', text: 'Why?' })
    expect(session.draft).toMatchObject({
      content: { title: 'Trees', text: 'Why?' },
      merged: { before: FIRST, version: { content: { ...FIRST, text: 'Why?' } } },
      conflict: undefined,
    })
  })

  test('undoing my change afterwards keeps theirs', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    server.store({ ...FIRST, text: 'Why?' })
    await passTime(1000)
    session.undo()
    expect(session.draft.content).toEqual({ title: 'Benches', text: 'Why?' })
    session.redo()
    expect(session.draft.content).toEqual({ title: 'Trees', text: 'Why?' })
  })

  test.each([
    ['keepMine', { title: 'Trees', text: 'And?' }],
    ['keepTheirs', { title: 'Shade', text: 'And?' }],
    ['keepBoth', { title: 'Trees, Shade', text: 'And?, Where?' }],
  ] as const)('nothing is saved until a contradiction is resolved: %s', async (choice, kept) => {
    const session = openSession()
    session.change(setTitle('Trees'))
    server.store({ ...FIRST, title: 'Shade' })
    await passTime(1000)
    expect(getDraftState(session.draft)).toBe('conflict')
    session.change(setText('And?'))
    expect(await session.save()).toBeUndefined()
    await passTime(60_000)
    expect(server.stored).toEqual({ ...FIRST, title: 'Shade' })
    session[choice]()
    await passTime(1000)
    expect(server.stored).toEqual(kept)
    expect(getDraftState(session.draft)).toBe('saved')
  })

  test('a conflict is still one after the window was closed over it', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    server.store({ ...FIRST, title: 'Shade' })
    await passTime(2000)
    session.stop()
    const again = openSession()
    await passTime(2000)
    expect(getDraftState(again.draft)).toBe('conflict')
    expect(server.stored.title).toBe('Shade')
    again.keepMine()
    await passTime(1000)
    expect(server.stored.title).toBe('Trees')
  })

  test('without a way to merge, every newer version is asked about; the same content is none', async () => {
    const session = openSession({ merge: undefined })
    session.change(setTitle('Trees'))
    server.store({ ...FIRST, title: 'Trees' })
    await passTime(1000)
    expect(getDraftState(session.draft)).toBe('saved')
    session.change(setTitle('Benches'))
    server.store({ ...server.stored, text: 'Why?' })
    await passTime(1000)
    expect(session.draft).toMatchObject({ content: { title: 'Benches', text: 'Where?' }, conflict: { content: { text: 'Why?' } } })
  })

  test('a version whose answer got lost is nobody else’s', async () => {
    server.next = ['lost']
    const session = openSession()
    session.change(setTitle('Trees'))
    await passTime(700)
    session.change(setTitle('Tall trees'))
    await passTime(5000)
    expect(server.stored.title).toBe('Tall trees')
    expect(session.draft).toMatchObject({ conflict: undefined, merged: undefined, isChanged: false })
  })
})

describe('what is unsaved', () => {
  test('is back after a crash, on top of the version it was made from', async () => {
    server.next = Array.from({ length: 9 }, () => 'unreachable')
    const session = openSession()
    session.change(setTitle('Trees'))
    await passTime(700)
    session.change(setTitle('Tall trees'))
    await passTime(700)
    // Nothing more is heard of that window.
    server.next = []
    server.store({ ...FIRST, text: 'Why?' })
    vi.clearAllTimers()
    const again = openSession()
    expect(again.draft.content.title).toBe('Tall trees')
    expect(again.draft.rescued).toBeDefined()
    await passTime(1000)
    expect(server.stored).toEqual({ title: 'Tall trees', text: 'Why?' })
    again.undo()
    await passTime(1000)
    expect(server.stored).toEqual({ title: 'Benches', text: 'Why?' })
  })

  test('is not restored once it is saved, even if the answer got lost in the crash', async () => {
    server.next = ['lost']
    const session = openSession()
    session.change(setTitle('Trees'))
    await passTime(700)
    vi.clearAllTimers()
    expect(device.size).toBe(1)
    const again = openSession()
    expect(again.draft).toMatchObject({ rescued: undefined, isChanged: false })
    expect(device.size).toBe(0)
  })

  test('goes on from our own version, if that was stored before the crash and more was typed', async () => {
    server.next = ['lost']
    const session = openSession()
    session.change(setTitle('Trees'))
    await passTime(700)
    session.change(setTitle('Tall trees'))
    await passTime(700)
    vi.clearAllTimers()
    const again = openSession({ merge: undefined })
    await passTime(1000)
    expect(again.draft.conflict).toBeUndefined()
    expect(server.stored.title).toBe('Tall trees')
  })

  test('leaves this device when it is saved', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    await passTime(600)
    await passTime(1000)
    expect(getDraftState(session.draft)).toBe('saved')
    expect(device.size).toBe(0)
  })

  test('is kept when the editor is left without saving', () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    session.stop()
    expect(openSession().draft.content.title).toBe('Trees')
  })

  test('leaves this device, too, when it is saved after the editor was left', async () => {
    const session = openSession()
    session.change(setTitle('Trees'))
    void session.save()
    session.stop()
    expect(device.size).toBe(1)
    await passTime(0)
    expect(server.stored.title).toBe('Trees')
    expect(device.size).toBe(0)
  })

  test('is restored from a copy of the former editor of surveys', async () => {
    const copy = { base: { draft: FIRST, lockVersion: 1 }, draft: { ...FIRST, title: 'Trees' }, at: '2026-01-01T00:00:00Z' }
    device.set('parley.unsaved.form', JSON.stringify(copy))
    server.store({ ...FIRST, text: 'Why?' })
    expect(openSession().draft).toMatchObject({ content: { title: 'Trees' }, base: { id: '1', content: FIRST }, rescued: copy.at })
    await passTime(1000)
    expect(server.stored).toEqual({ title: 'Trees', text: 'Why?' })
  })

  test('that cannot be read any more is left aside', () => {
    device.set('parley.unsaved.form', JSON.stringify({ at: '2026-01-01T00:00:00Z', content: null, parent: '1' }))
    const session = openSession({
      read: () => {
        throw new TypeError('Not a form')
      },
    })
    expect(session.draft).toMatchObject({ content: FIRST, rescued: undefined })
  })
})

test('a newer version is followed without saving anything', async () => {
  const session = openSession()
  server.store({ ...FIRST, title: 'Shade' })
  await session.follow()
  await passTime(60_000)
  expect(session.draft).toMatchObject({ content: { title: 'Shade' }, isChanged: false })
  expect(server.saves).toEqual([])
})

test('what is typed while a newer version is fetched is merged with it', async () => {
  const session = openSession()
  server.store({ ...FIRST, title: 'Shade' })
  const following = session.follow()
  session.change(setText('Why?'))
  await following
  await passTime(1000)
  expect(server.stored).toEqual({ title: 'Shade', text: 'Why?' })
})

test('versions are in the order of their numbers, or of the time in their ids', () => {
  expect(isNewerVersion('10', '9')).toBe(true)
  expect(isNewerVersion('9', '10')).toBe(false)
  expect(isNewerVersion('01a2-7f', '01a1-7f')).toBe(true)
  expect(isNewerVersion('9', '9')).toBe(false)
})
