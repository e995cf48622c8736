/**
 * What the demo is and what to do with it, 80 columns wide.
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
or with this line:

  curl -d 'pid=p-1&rating=5&author=Robin&title=Back+again' \\
    ${service}/__sandbox/form/reviews

The service tells the receiver, which waits two seconds for more and has the
shop built again. Reload the product then: the review is on it, also in the
page's source. Ctrl+C ends everything.
`;
}
