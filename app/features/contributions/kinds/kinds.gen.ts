// Written by `npm run routes` from the folders here.
import type { ActivityKindModule } from './define-kind.ts'
import { ideas } from './ideas/ideas.kind.ts'

export const KINDS = {
  ideas,
} satisfies Record<string, ActivityKindModule>
