import type { Language } from '#app/lib/languages.ts'
import type { Random } from '#app/lib/random.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Storage } from '#app/server/storage/storage.ts'
import type { Calendar } from './calendar.ts'
import type { DemoProject, DemoSite, DemoSurvey } from './content/types.ts'

/** What every step of seeding a site receives. */
export interface SeedContext {
  tx: Tx
  siteId: string
  content: DemoSite
  calendar: Calendar
  random: Random
  passwordHash: string
  /** Where pictures of contributions are put. Without one, there are none. */
  storage: Storage | undefined
  /** The server's, which keys what is stored of lists of people. */
  secret: string
}

export interface Person {
  id: string
  email: string
  login: string
  language: Language
  confirmed: boolean
}

export interface People {
  accounts: Record<'siteAdmin' | 'hubAdmin' | 'projectAdmin' | 'participant', Person>
  participants: Person[]
  /** Ids of more people with an account. */
  residents: string[]
}

/** Content with its database ids. */
export interface PlacedContent {
  hubs: Map<string, string>
  datasets: Map<string, string>
  projects: { id: string; hubId: string | null; project: DemoProject; members: Person[]; surveys: { id: string; survey: DemoSurvey }[] }[]
}
