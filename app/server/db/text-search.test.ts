import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '#app/lib/uuid.ts'
import { addSite, testRuntime } from '#tests/support/database.ts'
import { projects } from './schema.ts'
import { searchTolerantly, searchWords, textSearch } from './text-search.ts'

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

test('what is left uncompared changes neither what is found nor how well it fits', async () => {
  const runtime = await testRuntime()
  const site = await addSite(runtime)
  const texts = TITLES.flatMap((title) => [...TEXTS, TEXTS.join(' ').repeat(30)].map((text) => ({ title, text: `${title} ${text}` })))
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(projects).values(
      texts.map(({ title, text }, at) => {
        return { siteId: site.id, id: newId(), slug: `p-${at}`, title: {}, searchTitle: title, searchText: text }
      }),
    )
    await searchTolerantly(tx)
    let found = 0
    for (const typed of TYPED) {
      const words = searchWords(typed)
      const select = (where: SQL, score: SQL) =>
        tx
          .select({ slug: projects.slug, score })
          .from(projects)
          .where(where)
          .orderBy(sql`${score} desc`, projects.slug)
      const like = (column: SQL) =>
        sql.join(
          words.map((word) => sql`word_similarity(${word}, ${column})`),
          sql` + `,
        )
      const [title, text] = [sql`${projects.searchTitle}`, sql`${projects.searchText}`]
      const plain = await select(
        sql`(${sql.join(
          words.map((word) => sql`${word} <% ${text}`),
          sql` or `,
        )}) and (${like(text)}) >= ${0.42 * words.length}::real`,
        sql`(${like(text)}) + 1.5 * (${like(title)})`,
      )
      const { where, score, inSteps } = textSearch(words, { title: projects.searchTitle, text: projects.searchText })
      expect(await select(where, score), typed).toEqual(plain)
      const kept = tx.$with('kept').as(
        tx
          .select({ slug: projects.slug, inText: inSteps.inText.as('in_text'), inTitle: sql`${title}`.as('in_title') })
          .from(projects)
          .where(inSteps.some),
      )
      const [alike, fits] = [sql`in_text`, inSteps.score(sql`in_text`, sql`in_title`)]
      const steps = await tx
        .with(kept)
        .select({ slug: kept.slug, score: fits })
        .from(kept)
        .where(inSteps.enough(alike))
        .orderBy(sql`${fits} desc`, kept.slug)
      expect(steps, typed).toEqual(plain)
      found += plain.length
    }
    expect(found).toBeGreaterThan(TYPED.length)
  })
})
