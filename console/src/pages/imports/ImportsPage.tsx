export const ImportsPage = () => null
