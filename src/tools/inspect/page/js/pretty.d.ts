export function pretty(text: string): string[]
