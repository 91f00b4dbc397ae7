/**
 * A failure inflicted on real processes. `run` throws if the product does not survive it, and returns a sentence about what was observed.
 */
export interface Fault {
  name: string
  /** True if it runs only where it is asked for by name: it takes long, or needs more than npm brings. */
  onlyByName?: true
  run: () => Promise<string>
}
