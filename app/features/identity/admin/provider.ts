import type { providerQuery } from '../identity.queries.ts'

/** A provider as its page reads it. */
export type Provider = Awaited<ReturnType<NonNullable<ReturnType<typeof providerQuery>['queryFn']>>>['data']
