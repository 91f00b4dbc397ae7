/** Internal response header: the origins that a page may frame, for the server's content policy. Removed before sending. */
export const FRAMES_HEADER = 'x-parley-frames'
