/** True in live-preview mode: any path that contains the text `live-preview`. Chat and analytics stay off there. */
export const isLivePreview = (path: string): boolean => path.includes('live-preview')
