/** By which a page names the origins it may frame, to the part of the server that writes its content policy. It goes no further. */
export const FRAMES_HEADER = 'x-parley-frames'

/** By which the part that renders tells the part that keeps pages which third parties the site's pages start. It goes no further. */
export const THIRD_PARTIES_HEADER = 'x-parley-third-parties'
