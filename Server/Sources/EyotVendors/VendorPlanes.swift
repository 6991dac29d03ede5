import EyotDomain
import EyotHTTP

/// The APIs of other vendors, translated into Eyot's commands. They translate calls and answers, and keep no state of
/// their own.
package struct VendorPlanes: Sendable {
    /// Settings of the vendors' planes.
    package struct Settings: Sendable {
        /// The vendors for which harmless calls are accepted although the vendor documents a refusal. It suits callers
        /// that rely on them.
        package var lenient: Set<KeyPlane> = []

        package init(lenient: Set<KeyPlane> = []) { self.lenient = lenient }
    }

    private let backend: Backend
    private let settings: Settings

    package init(_ backend: Backend, settings: Settings = Settings()) {
        self.backend = backend
        self.settings = settings
    }

    /// The routes of all vendors.
    package var routes: [Route] {
        planes.map { route in
            var route = route
            route.note = VendorNotes.all[route.path]
            return route
        }
    }

    private var planes: [Route] {
        NetmeraRoutes(backend: backend, isLenient: settings.lenient.contains(.netmera)).routes
            + AirshipRoutes(backend: backend, isLenient: settings.lenient.contains(.airship)).routes
            + BrazeRoutes(backend: backend, isLenient: settings.lenient.contains(.braze)).routes
            + InsiderRoutes(backend: backend).routes
    }
}
