#import "LegacyController.h"
// Xcode writes this header; it has every Swift class of the app that is marked @objc.
#import "Cards-Swift.h"

@implementation LegacyController

- (void)viewDidAppear:(BOOL)animated {
    [super viewDidAppear:animated];
    [EYTCards identify:@"user-1"];
    [EYTCards startMatchNamed:@"final"
                         home:@"Argentina"
                         away:@"France"
                   completion:^(NSError *_Nullable error) {
                       if (error != nil) {
                           NSLog(@"No card: %@", error.localizedDescription);
                       }
                   }];
}

@end
