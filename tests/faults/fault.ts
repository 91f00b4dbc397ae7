/** One thing that goes wrong, done to real processes. `run` throws where the product does not bear it, and says in a sentence what was seen. */
export interface Fault {
  name: string
  run: () => Promise<string>
}
