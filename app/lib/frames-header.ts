/** By which a page names the origins it may frame, to the part of the server that writes its content policy. It goes no further. */
export const FRAMES_HEADER = 'x-parley-frames'
