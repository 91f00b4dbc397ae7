/** True for any path that contains `live-preview`. Chat and analytics stay off there. */
export const isLivePreview = (path: string): boolean => path.includes('live-preview')

/** True if the address holds a draft's secret link: no third party may learn of the page. */
export const isSharedDraft = (search: string): boolean => new URLSearchParams(search).has('preview')
