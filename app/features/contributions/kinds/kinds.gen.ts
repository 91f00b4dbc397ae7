// Written by `npm run routes` from the folders here.
import type { ActivityKindModule } from './define-kind.ts'
import { ideas } from './ideas/ideas.kind.ts'
import { places } from './places/places.kind.ts'
import { questions } from './questions/questions.kind.ts'
import { stories } from './stories/stories.kind.ts'

export const KINDS = {
  ideas,
  places,
  questions,
  stories,
} satisfies Record<string, ActivityKindModule>
