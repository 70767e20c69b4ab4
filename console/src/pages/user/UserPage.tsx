export const UserPage = () => null
