/** Files and downloads are read as async iterables: one that is there already, as a single piece. */
// oxlint-disable-next-line require-await -- the one place that makes an async iterable of what need not be waited for
export async function* yieldOnce<Piece>(piece: Piece): AsyncGenerator<Piece> {
  yield piece
}
