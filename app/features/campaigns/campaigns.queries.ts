import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { CampaignStatus } from '#app/lib/vocabulary/campaigns.ts'
import { readLetterPreview } from './newsletters/newsletters.functions.ts'

const root = ['campaigns'] as const
const REFETCH_MS = 2000
export const CAMPAIGNS_PER_PAGE = 25
export const RECIPIENTS_PER_PAGE = 10
const ACTIVE_STATUSES: readonly CampaignStatus[] = ['scheduled', 'preparing', 'sending']

/** The viewer's campaigns, newest first; polls while any of them is active. */
export const smsCampaignsQuery = (page: number) =>
  queryOptions({
    queryKey: [...root, 'list', page],
    queryFn: ({ signal }) =>
      api.list('sms-campaigns', { page: { number: page, size: CAMPAIGNS_PER_PAGE }, include: ['hub', 'project'], signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => ACTIVE_STATUSES.includes(status)) ? REFETCH_MS : false),
  })

export const smsCampaignQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'one', id],
    queryFn: ({ signal }) => api.get('sms-campaigns', id, { include: ['hub', 'project'], signal }),
    refetchInterval: ({ state }) => (state.data && ACTIVE_STATUSES.includes(state.data.data.status) ? REFETCH_MS : false),
  })

/** Whom a draft would reach now; recounted for each version of the draft. */
export const smsEstimateQuery = (id: string, lockVersion: number) =>
  queryOptions({
    queryKey: [...root, 'estimate', id, lockVersion],
    queryFn: ({ signal }) => api.get('sms-estimates', id, { signal }),
    staleTime: 0,
  })

export const smsRecipientsQuery = (campaign: string, lockVersion: number, page: number) =>
  queryOptions({
    queryKey: [...root, 'recipients', campaign, lockVersion, page],
    queryFn: ({ signal }) =>
      api.list('sms-recipients', { filter: { campaign }, page: { number: page, size: RECIPIENTS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** Whom a campaign or a newsletter did not reach. */
export const campaignFailuresQuery = (campaign: string, page: number) =>
  queryOptions({
    queryKey: [...root, 'failures', campaign, page],
    queryFn: ({ signal }) =>
      api.list('campaign-failures', { filter: { campaign }, page: { number: page, size: RECIPIENTS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

export const LINKS_PER_PAGE = 20

/** How often each link of a campaign or a newsletter was opened. */
export const linkClicksQuery = (campaign: string, page: number) =>
  queryOptions({
    queryKey: [...root, 'clicks', campaign, page],
    queryFn: ({ signal }) => api.list('link-clicks', { filter: { campaign }, page: { number: page, size: LINKS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** The viewer's newsletters, newest first; polls while any of them is active. */
export const newslettersQuery = (page: number) =>
  queryOptions({
    queryKey: [...root, 'letters', page],
    queryFn: ({ signal }) =>
      api.list('newsletters', { page: { number: page, size: CAMPAIGNS_PER_PAGE }, include: ['hub', 'project'], signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => ACTIVE_STATUSES.includes(status)) ? REFETCH_MS : false),
  })

export const newsletterQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'letter', id],
    queryFn: ({ signal }) => api.get('newsletters', id, { include: ['hub', 'project'], signal }),
    refetchInterval: ({ state }) => (state.data && ACTIVE_STATUSES.includes(state.data.data.status) ? REFETCH_MS : false),
  })

/** Whom a newsletter would reach now; recounted for each version of it. */
export const newsletterEstimateQuery = (id: string, lockVersion: number) =>
  queryOptions({
    queryKey: [...root, 'letter-estimate', id, lockVersion],
    queryFn: ({ signal }) => api.get('newsletter-estimates', id, { signal }),
    staleTime: 0,
  })

export const newsletterRecipientsQuery = (campaign: string, lockVersion: number, page: number) =>
  queryOptions({
    queryKey: [...root, 'letter-recipients', campaign, lockVersion, page],
    queryFn: ({ signal }) =>
      api.list('newsletter-recipients', { filter: { campaign }, page: { number: page, size: RECIPIENTS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

interface UnsavedNewsletter {
  campaign: string
  subject: Translated
  content: Record<string, unknown>
  language: ContentLanguage
}

/** Unsaved content, as its readers would get it. */
export const newsletterPreviewQuery = (unsaved: UnsavedNewsletter) =>
  queryOptions({
    queryKey: [...root, 'letter-preview', unsaved],
    queryFn: () => readLetterPreview({ data: unsaved }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  })

export const topicsQuery = queryOptions({
  queryKey: [...root, 'topics'],
  queryFn: ({ signal }) => api.list('topics', { page: { size: 100 }, sort: 'title', signal }),
})

export const invalidateCampaigns = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
