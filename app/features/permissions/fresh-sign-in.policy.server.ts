import type { Ctx } from '#app/server/context.ts'

const FRESH_MINUTES = 15

/** True if the viewer proved who they are a short while ago. Programs never do: what they may is bound by their token's scopes (decision 0074). */
export function hasFreshSignIn({ viewer, now }: Pick<Ctx, 'viewer' | 'now'>): boolean {
  if (viewer.kind === 'visitor') return false
  if (viewer.apiToken) return true
  return viewer.confirmedAt !== undefined && now().getTime() - viewer.confirmedAt.getTime() <= FRESH_MINUTES * 60_000
}
