import { beforeEach, describe, expect, test } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'
import { type ContentChange, ContentChanges } from './content-changes.ts'
import { ContentMemory } from './content-memory.ts'
import { noteStatement, readUntracked, readWithin } from './content-reads.ts'

const SITE = 'site'
const WHOLE_TABLE = '00000000-0000-0000-0000-000000000000'
const [ELM, OAK] = ['elm', 'oak']

let now: number
let changes: ContentChanges
let memory: ContentMemory<string>
beforeEach(() => {
  now = 0
  changes = new ContentChanges()
  memory = new ContentMemory({
    budget: new MemoryBudget(1_000_000),
    name: 'test',
    ttlMs: 60_000,
    keepMs: 3_600_000,
    changes,
    now: () => now,
  })
  changes.note(at(1), undefined, [])
})

/** The site's content in a version. */
const at = (contentVersion: number, id = SITE) => ({ id, contentVersion })
/** This process hears of changes: each in a version of its own. */
function hear(since: number, ...changed: [table: string, scope?: string][]): number {
  const heard = changed.map(([table, scope = WHOLE_TABLE], index): ContentChange => [since + index + 1, table, scope])
  changes.note(at(since + changed.length), since, heard)
  return since + changed.length
}
/** What sends these statements, and says how large what it makes of them is. */
const makeFrom =
  (value: string, ...statements: string[]) =>
  () => {
    for (const statement of statements) noteStatement(statement)
    return Promise.resolve({ value, bytes: 100 })
  }
const PAGES = 'select "slug" from "pages" where "pages"."site_id" = $1'
const PROJECTS = 'select "id" from "projects"'

describe('a value', () => {
  test('is found while nothing changes that it was read from, whatever else does', async () => {
    await memory.obtain(at(1), 'key', makeFrom('pages', PAGES))
    expect(memory.find(at(1), 'key')).toBe('pages')
    hear(1, ['projects'], ['hubs'], ['topics'])
    expect(memory.find(at(4), 'key')).toBe('pages')
    hear(4, ['pages'])
    expect(memory.find(at(5), 'key')).toBeUndefined()
  })

  test('is found again after a change of something else that came after one that ended it', async () => {
    await memory.obtain(at(1), 'key', makeFrom('before', PAGES))
    hear(1, ['pages'])
    await memory.obtain(at(2), 'key', makeFrom('after', PAGES))
    hear(2, ['hubs'])
    expect(memory.find(at(3), 'key')).toBe('after')
  })

  test('ends with the site’s own row, which every page shows', async () => {
    await memory.obtain(at(1), 'key', makeFrom('no statement'))
    hear(1, ['sites'])
    expect(memory.find(at(2), 'key')).toBeUndefined()
  })

  test('is another site’s business only by its own changes', async () => {
    changes.note(at(1, 'other'), undefined, [])
    await memory.obtain(at(1, 'other'), 'other key', makeFrom('theirs', PAGES))
    hear(1, ['pages'])
    expect(memory.find(at(1, 'other'), 'other key')).toBe('theirs')
  })

  test('ends with any version of which this process has not heard what changed in it', async () => {
    await memory.obtain(at(1), 'key', makeFrom('pages', PAGES))
    expect(memory.find(at(2), 'key')).toBeUndefined()
    // Two versions, of which one is missing.
    changes.note(at(3), 1, [[3, 'hubs', WHOLE_TABLE]])
    expect(memory.find(at(3), 'key')).toBeUndefined()
  })

  test('ends after its time, and is kept for when it cannot be made again', async () => {
    await memory.obtain(at(1), 'key', makeFrom('pages', PAGES))
    now = 60_000
    expect(memory.find(at(1), 'key')).toBeUndefined()
    expect(memory.findLast('key')).toBe('pages')
    now = 60_000 + 3_600_000
    expect(memory.findLast('key')).toBeUndefined()
  })

  test('that began to be read before a change is not kept as what came after it', async () => {
    let finish = () => {}
    const slow = memory.obtain(at(1), 'key', async () => {
      noteStatement(PAGES)
      await new Promise<void>((resolve) => (finish = resolve))
      return { value: 'before', bytes: 100 }
    })
    hear(1, ['pages'])
    finish()
    expect(await slow).toBe('before')
    expect(memory.find(at(2), 'key')).toBeUndefined()
  })

  test('that took longer than a newer one does not replace it', async () => {
    let finish = () => {}
    const slow = memory.obtain(at(1), 'key', () => new Promise((resolve) => (finish = () => resolve({ value: 'before', bytes: 100 }))))
    hear(1, ['pages'])
    await memory.obtain(at(2), 'key', makeFrom('after', PAGES))
    finish()
    await slow
    expect(memory.find(at(2), 'key')).toBe('after')
  })

  test('is made once for all who ask at the same time in one version', async () => {
    let made = 0
    const make = async () => {
      made += 1
      await Promise.resolve()
      return { value: 'made', bytes: 100 }
    }
    await Promise.all([memory.obtain(at(1), 'key', make), memory.obtain(at(1), 'key', make)])
    expect(made).toBe(1)
  })

  test('that could not be made is made again for the next who asks', async () => {
    await expect(memory.obtain(at(1), 'key', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await memory.obtain(at(1), 'key', makeFrom('back'))).toBe('back')
  })
})

describe('a value made of others', () => {
  test('ends when one of them does, whether that was made for it or found', async () => {
    const whole = (key: string) =>
      memory.obtain(at(1), key, async () => ({ value: await memory.obtain(at(1), 'part', makeFrom('part', PAGES)), bytes: 100 }))
    await whole('first')
    await whole('second')
    hear(1, ['pages'])
    expect([memory.find(at(2), 'first'), memory.find(at(2), 'second')]).toEqual([undefined, undefined])
  })

  test('does not end with what only its reader’s own part was read from', async () => {
    await memory.obtain(at(1), 'key', async () => {
      await readUntracked(() => {
        noteStatement(PAGES)
        return Promise.resolve()
      })
      return { value: 'for many', bytes: 100 }
    })
    hear(1, ['pages'])
    expect(memory.find(at(2), 'key')).toBe('for many')
  })
})

describe('a value of which everything belongs to something', () => {
  const ofProject = (id: string) => () =>
    readWithin({ project: id }, () => {
      noteStatement(PROJECTS)
      noteStatement(PAGES)
      return Promise.resolve({ value: id, bytes: 100 })
    })

  test('ends with that, and not with another', async () => {
    await memory.obtain(at(1), ELM, ofProject(ELM))
    await memory.obtain(at(1), OAK, ofProject(OAK))
    hear(1, ['projects', ELM])
    expect([memory.find(at(2), ELM), memory.find(at(2), OAK)]).toEqual([undefined, OAK])
  })

  test('ends with tables that know nothing of it, and with a change of a whole table', async () => {
    await memory.obtain(at(1), ELM, ofProject(ELM))
    hear(1, ['pages'])
    expect(memory.find(at(2), ELM)).toBeUndefined()
    await memory.obtain(at(2), ELM, ofProject(ELM))
    hear(2, ['projects', WHOLE_TABLE])
    expect(memory.find(at(3), ELM)).toBeUndefined()
  })

  test('does not narrow what else a page reads', async () => {
    await memory.obtain(at(1), 'both', async () => {
      noteStatement(PROJECTS)
      return ofProject(ELM)()
    })
    hear(1, ['projects', OAK])
    expect(memory.find(at(2), 'both')).toBeUndefined()
  })
})

test('what changed longest ago is forgotten first, and what was read before it then counts as outdated', async () => {
  await memory.obtain(at(1), 'key', makeFrom('pages', PAGES))
  const many = Array.from({ length: 3000 }, (_, index): [string, string] => ['projects', `project ${index}`])
  const version = hear(1, ...many)
  expect(memory.find(at(version), 'key')).toBeUndefined()
  await memory.obtain(at(version), 'key', makeFrom('pages', PAGES))
  hear(version, ['hubs'])
  expect(memory.find(at(version + 1), 'key')).toBe('pages')
})
