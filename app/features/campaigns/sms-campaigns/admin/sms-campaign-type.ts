import type { smsCampaignQuery } from '../../campaigns.queries.ts'

export type SmsCampaign = Awaited<ReturnType<NonNullable<ReturnType<typeof smsCampaignQuery>['queryFn']>>>['data']
