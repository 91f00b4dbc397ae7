import { createId } from '#app/lib/uuid.ts'
import { createRandom } from '#app/lib/random.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import type { Language } from '#app/lib/languages.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { insertAll } from './insert-rows.ts'
import type { People, Person, SeedContext } from './seed-context.ts'

const PARTICIPANTS = 300

/** The four demo accounts and a few hundred participants who joined over the last two years. */
export async function seedPeople({ tx, siteId, content, calendar, random, passwordHash }: SeedContext): Promise<People> {
  const rows: (typeof users.$inferInsert)[] = []
  const createAccount = (name: string, login: string, type: 'administrator' | 'participant'): Person => {
    const person = { id: createId(), email: `${name}@${content.mailDomain}`, login, language: content.locale, confirmed: true }
    rows.push({
      siteId,
      id: person.id,
      email: person.email,
      login,
      type,
      passwordHash,
      locale: person.language,
      emailConfirmedAt: calendar.at(-700, 10),
      createdAt: calendar.at(-700, 9),
      lastSeenAt: calendar.at(-1, 15, 20),
    })
    return person
  }
  const { accounts: names } = content.people
  const accounts = {
    siteAdmin: createAccount('site.admin', names.siteAdmin, 'administrator'),
    hubAdmin: createAccount('hub.admin', names.hubAdmin, 'administrator'),
    projectAdmin: createAccount('project.admin', names.projectAdmin, 'administrator'),
    participant: createAccount('participant', names.participant, 'participant'),
  }

  const participants: Person[] = [accounts.participant]
  const taken = new Set<string>()
  while (participants.length < PARTICIPANTS) {
    const first = random.pick(content.people.first)
    const last = random.pick(content.people.last)
    const name = `${first} ${last}`
    if (taken.has(name)) continue
    taken.add(name)
    const person = {
      id: createId(),
      email: `${toMailName(first)}.${toMailName(last)}@post.example`,
      login: random.chance(0.6) ? name : random.chance(0.5) ? `${first} ${last.charAt(0)}.` : first,
      language: random.weighted<Language>(content.people.languages),
      confirmed: random.chance(0.93),
    }
    const joined = -1 - Math.floor(700 * random.next() ** 1.6)
    const { confirmed } = person
    const seen = Math.min(-1, joined + random.int(0, -joined))
    rows.push({
      siteId,
      id: person.id,
      email: person.email,
      login: person.login,
      type: 'participant',
      passwordHash,
      locale: person.language,
      createdAt: calendar.at(joined, random.int(8, 21), random.int(0, 59)),
      emailConfirmedAt: confirmed ? calendar.at(joined, 22, random.int(0, 59)) : null,
      lastSeenAt: confirmed ? calendar.at(seen, 23, random.int(0, 59)) : null,
      marketingConsentAt: confirmed && random.chance(0.45) ? calendar.at(joined, 22, 59) : null,
    })
    participants.push(person)
  }
  const residents = createResidents({ siteId, content, calendar, passwordHash })
  await insertAll(tx, users, [...rows, ...residents])
  return { accounts, participants, residents: residents.map(({ id }) => id) }
}

/** People with an account who joined long ago. They are chosen apart, so that they change nothing else of the demo. */
function createResidents({
  siteId,
  content,
  calendar,
  passwordHash,
}: Pick<SeedContext, 'siteId' | 'content' | 'calendar' | 'passwordHash'>) {
  const random = createRandom(`${content.slug} residents`)
  return Array.from({ length: content.people.residents ?? 0 }, (_, index) => {
    const [first, last] = [random.pick(content.people.first), random.pick(content.people.last)]
    const joined = -random.int(60, 700)
    return {
      siteId,
      id: createId(),
      email: `${toMailName(first)}.${toMailName(last)}.${index + 1}@post.example`,
      login: `${first} ${last}`,
      type: 'participant',
      passwordHash,
      locale: random.weighted<Language>(content.people.languages),
      createdAt: calendar.at(joined, random.int(8, 21), random.int(0, 59)),
      emailConfirmedAt: calendar.at(joined, 22, random.int(0, 59)),
      lastSeenAt: calendar.at(joined + random.int(0, 50), 23, random.int(0, 59)),
      marketingConsentAt: null,
    }
  })
}

const toMailName = (name: string): string =>
  normaliseText(name)
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
