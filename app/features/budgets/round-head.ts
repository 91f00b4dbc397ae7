import { buildPageHead } from '#app/features/sites/seo.ts'
import type { RoundView } from './budgets.schema.ts'

/** The head of a page of a round. @param rest what follows the round's own address; what is not given is the page of one's own ballot, which is not listed */
export const buildRoundHead = (at: Parameters<typeof buildPageHead>[0], round: RoundView | undefined, rest: string, isListed = false) =>
  round
    ? buildPageHead(at, {
        title: round.title.text,
        description: round.intro.text,
        path: `/projects/${round.project.slug}/budgets/${round.slug}${rest}`,
        hidden: !isListed || !round.listed,
      })
    : {}
