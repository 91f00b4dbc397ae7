/**
 * A failure inflicted on real processes. `run` throws if the product does not survive it, and returns a sentence about what was observed.
 */
export interface Fault {
  name: string
  run: () => Promise<string>
}
