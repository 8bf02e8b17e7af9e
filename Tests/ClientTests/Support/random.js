// Random numbers from a seed (mulberry32), so that a failure can be run again: `SEED=… node --test …`.

export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

/** @param {number} from */
export function generator(from) {
  let state = from >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (/** @type {number} */ bound) => Math.floor(next() * bound)
  return {
    below,
    chance: (/** @type {number} */ part) => next() < part,
    /** @template T @param {readonly T[]} choices @returns {T} */
    pick: (choices) => choices[below(choices.length)],
    /** @template T @param {readonly T[]} values */
    shuffled: (values) => {
      const result = [...values]
      for (let end = result.length - 1; end > 0; end -= 1) {
        const other = below(end + 1)
        ;[result[end], result[other]] = [result[other], result[end]]
      }
      return result
    },
  }
}
