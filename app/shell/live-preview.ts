/** True in live-preview mode: any path that contains the text `live-preview`. Chat and analytics stay off there. */
export const isLivePreview = (path: string): boolean => path.includes('live-preview')

/** True where the address holds the link to a draft, which lets in whoever has it: no service of others is told of the page. */
export const isSharedDraft = (search: string): boolean => new URLSearchParams(search).has('preview')
