import type { campaignQuery } from '../../campaigns.queries.ts'

/** A campaign as its screens have it. */
export type Campaign = Awaited<ReturnType<NonNullable<ReturnType<typeof campaignQuery>['queryFn']>>>['data']
