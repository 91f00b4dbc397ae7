import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { AGE_GROUPS } from '#app/lib/age-groups.ts'

/** The standard question about age names its groups `u16`, `a16` to `a75`. */
const AGE_OPTIONS = new Map<string, string>(AGE_GROUPS.map((group) => [group === 'under-16' ? 'u16' : `a${group.slice(0, 2)}`, group]))

/** The option of a question about people that an option of a survey's linked question stands for. */
export const toPopulationOption = (option: string): string => (option === 'withheld' ? NO_ANSWER : (AGE_OPTIONS.get(option) ?? option))
