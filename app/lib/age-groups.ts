/** Age groups that years of birth are counted and filtered in. Each year belongs to the age that is reached in the current year. */
export const AGE_GROUPS = ['under-16', '16-24', '25-34', '35-44', '45-54', '55-64', '65-74', '75-plus'] as const
export type AgeGroup = (typeof AGE_GROUPS)[number]

export const OLDEST_AGE = 120
const AGES: Record<AgeGroup, readonly [from: number, to: number]> = {
  'under-16': [0, 15],
  '16-24': [16, 24],
  '25-34': [25, 34],
  '35-44': [35, 44],
  '45-54': [45, 54],
  '55-64': [55, 64],
  '65-74': [65, 74],
  '75-plus': [75, OLDEST_AGE],
}

export const isAgeGroup = (value: string): value is AgeGroup => (AGE_GROUPS as readonly string[]).includes(value)

/** First and last year of birth of the people of an age group, both inclusive. */
export const listBirthYears = (group: AgeGroup, year: number): { first: number; last: number } => {
  const [from, to] = AGES[group]
  return { first: year - to, last: year - from }
}

/** The age group of a year of birth; undefined if nobody who lives was born then. */
export const findAgeGroup = (born: number, year: number): AgeGroup | undefined =>
  AGE_GROUPS.find((group) => {
    const { first, last } = listBirthYears(group, year)
    return born >= first && born <= last
  })
