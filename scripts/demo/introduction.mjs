/**
 * Describes the demo and how to use it, in 80 columns.
 *
 * @param {{ shop: string, service: string, receiver: string }} addresses
 */
export function introduction({ shop, service, receiver }) {
	return `
The shop         ${shop}/
One product      ${shop}/products/enamel-kettle/#reviews
Review service   ${service}/
Receiver         ${receiver}/status

Publish a review on the service's page, ${service}/?pid=p-1
or with this command:

  curl -d 'pid=p-1&rating=5&author=Robin&title=Back+again' \\
    ${service}/__sandbox/form/reviews

The service notifies the receiver, which writes the review into the files of
the shop, without a build. The service's page then says which files changed
and how fast, as do the lines below. Reload the product page to see the review,
which is also in the page's source. Press Ctrl+C to stop everything.
`;
}
