import type { RoundView } from './budgets.schema.ts'

/** What search engines and previews of links are told of a page of a round. @param rest what follows the round's own address */
export const describeRoundPage = (round: RoundView, rest: string, isListed = false) => ({
  title: round.title.text,
  description: round.intro.text,
  path: `/projects/${round.project.slug}/budgets/${round.slug}${rest}`,
  // Search engines must not list pages that show the reader's own ballot.
  hidden: !isListed || !round.listed,
})
