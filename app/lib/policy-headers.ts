/** Internal response header: the origins that a page may frame, for the server's content policy. Removed before sending. */
export const FRAMES_HEADER = 'x-parley-frames'

/** Internal response header: the third parties that the site's pages load, from rendering to the page store. Removed before sending. */
export const THIRD_PARTIES_HEADER = 'x-parley-third-parties'
