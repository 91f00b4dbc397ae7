import type { smsCampaignQuery } from '../../campaigns.queries.ts'

/** A campaign as its screens have it. */
export type SmsCampaign = Awaited<ReturnType<NonNullable<ReturnType<typeof smsCampaignQuery>['queryFn']>>>['data']
