import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Tx } from './client.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { projects } from './schema/projects.ts'
import { searchTexts, toSearchWords } from './text-search.ts'

const TITLES = [
  'library',
  'the libary quarter',
  'new town',
  "children's parks (77)",
  'street',
  'streets 7 77a',
  'banana bana',
  'a-b',
  'квартал',
  '',
]
const TEXTS = [
  'what we ask about it and why',
  '(library)',
  'lib rary',
  "the street's library, street",
  'х квартала',
  'ab1c a1b',
  '77',
  'str',
]
const TYPED = [
  'street',
  'library',
  'libary',
  'newtown',
  'park 77',
  'streat library',
  'banana',
  'a1b',
  'b',
  '7',
  'квартал',
  "children's",
  'nothing of it',
  'aaaa',
]

/**
 * The reference ranking: compares every typed word with every word of every text. Of scripts that the database may not compare by trigrams, the
 * same word and what begins with it are alike.
 */
async function comparedOneByOne(tx: Tx, words: readonly string[]): Promise<[string, number][]> {
  const { rows } = await tx.execute<{ slug: string; score: number }>(
    sql`with alike as (
        select slug, typed, greatest(word_similarity(typed, word),
          case when typed ~ '^[a-z0-9]+$' then 0 when word = typed then 1::real when starts_with(word, typed) then 0.7::real end) as alike, word = any (string_to_array(search_title, ' ')) as in_title
        from ${projects}, unnest(string_to_array(search_text, ' ')) word, unnest(${sql.param([...words])}::text[]) typed
        where length(typed) > 4 or starts_with(word, typed) or (length(typed) > 2 and word = left(typed, -1))),
      best as (select slug, typed, max(alike) as in_text, max(alike) filter (where in_title) as in_title,
          max((in_title and alike = 1)::int) as whole
        from alike where alike >= 0.42::real group by 1, 2)
      select slug, sum(in_text) + 1.5::real * coalesce(sum(in_title), 0) + 2::real * coalesce(sum(whole), 0)::real as score from best
      group by slug having sum(in_text) >= ${0.42 * words.length}::real order by 2 desc, slug`,
  )
  return rows.map(({ slug, score }) => [slug, score])
}

async function found(tx: Tx, siteId: string, typed: string): Promise<[string, number][]> {
  const search = await searchTexts(tx, siteId, toSearchWords(typed))
  const score = search.score(projects.id)
  const rows = await tx
    .select({ slug: projects.slug, score })
    .from(projects)
    .where(search.where(projects.id))
    .orderBy(sql`${score} desc`, projects.slug)
  return rows.map((row) => [row.slug, row.score])
}

test('finds similar words exactly as a full comparison would, and only in its own site', async () => {
  const runtime = await createTestRuntime()
  const [site, other] = [await addSite(runtime, { slug: 'alder' }), await addSite(runtime, { slug: 'birch' })]
  const texts = TITLES.flatMap((title) => [...TEXTS, TEXTS.join(' ').repeat(30)].map((text) => ({ title, text })))
  const add = (siteId: string) =>
    runtime.database.site(siteId).tx((tx) =>
      tx.insert(projects).values(
        texts.map(({ title, text }, at) => {
          return { siteId, id: createId(), slug: `p-${at}`, title: {}, ...buildSearchFields({ en: title }, { en: text }) }
        }),
      ),
    )
  await add(site.id)
  await add(other.id)
  await runtime.database.site(site.id).tx(async (tx) => {
    let all = 0
    for (const typed of TYPED) {
      const plain = await comparedOneByOne(tx, toSearchWords(typed))
      expect(await found(tx, site.id, typed), typed).toEqual(plain)
      all += plain.length
    }
    expect(all).toBeGreaterThan(TYPED.length)
  })
})

test.each([
  ['Punjabi', 'ਕੇਂਦਰੀ ਲਾਇਬ੍ਰੇਰੀ ਦੀਆਂ ਨਵੀਆਂ ਕਿਤਾਬਾਂ', 'ਕਿਤਾਬਾਂ', 'ਸੜਕ'],
  ['Arabic, with or without its marks', 'مَكْتَبَة المدينة الجديدة', 'مكتبة', 'شارع'],
  ['Polish, with a letter that has no plain one', 'Nowa łąka nad rzeką', 'łaka', 'most'],
  ['Ukrainian, by the beginning of a word', 'Нові бібліотеки міста', 'бібліо', 'вулиця'],
  ['Chinese, within a sentence', '我们要在河边建一个新公园', '公园', '图书馆'],
  ['Japanese', '新しい図書館について', '図書館', '公園'],
  ['Thai', 'ห้องสมุดแห่งใหม่ของเมือง', 'ห้องสมุด', 'สะพาน'],
])('finds a word in %s, and not another', async (_, text, word, other) => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  await runtime.database.site(site.id).tx(async (tx) => {
    const row = { siteId: site.id, id: createId(), slug: 'there', title: {} }
    await tx.insert(projects).values({ ...row, ...buildSearchFields({ en: 'A place' }, { en: 'Words', pa: text }) })
    expect((await found(tx, site.id, word)).map(([slug]) => slug)).toEqual(['there'])
    expect(await found(tx, site.id, other)).toEqual([])
  })
})

test('after an update only the new words are found, after a deletion none', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  await runtime.database.site(site.id).tx(async (tx) => {
    const row = { siteId: site.id, id: createId(), slug: 'quay', title: {} }
    await tx.insert(projects).values({ ...row, ...buildSearchFields({ en: 'The old quay' }, { en: 'Benches, and a crane.' }) })
    expect(await found(tx, site.id, 'crane')).toEqual([['quay', 1]])
    await tx.update(projects).set(buildSearchFields({ en: 'The crane' }, { en: 'Benches' }))
    expect(await found(tx, site.id, 'crane')).toEqual([['quay', 4.5]])
    expect(await found(tx, site.id, 'quay')).toEqual([])
    await tx.delete(projects).where(eq(projects.id, row.id))
    expect(await found(tx, site.id, 'crane')).toEqual([])
  })
})
